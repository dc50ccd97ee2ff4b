/** Every kind of credential file that is known. A new kind is one object in its group's file and one name here. */
import * as agents from "./agents.ts";
import { age } from "./age.ts";
import * as aws from "./aws.ts";
import * as azure from "./azure.ts";
import * as clouds from "./clouds.ts";
import * as databases from "./databases.ts";
import * as docker from "./docker.ts";
import type { CredentialKind } from "./file.ts";
import * as forges from "./forges.ts";
import * as git from "./git.ts";
import * as google from "./google.ts";
import * as hosting from "./hosting.ts";
import * as keys from "./keys.ts";
import * as kubernetes from "./kubernetes.ts";
import * as npm from "./npm.ts";
import * as publish from "./publish.ts";
import * as python from "./python.ts";
import * as questions from "./questions.ts";
import * as storage from "./storage.ts";
import * as stores from "./stores.ts";
import * as system from "./system.ts";

/** In order of preference within a class: the first that confirms names the file. */
export function kinds(): readonly CredentialKind[] {
  return [
    ...[aws.awsCredentials, aws.awsConfig, aws.awsSsoCache, aws.awsSession, aws.awsConsoleExport, aws.boto, aws.s3cmd],
    ...[google.gcpServiceAccount, google.gcpUser, google.gcloudStore, google.firebase],
    ...[azure.azureTokens, azure.azureTokensOld, azure.azurePrincipal, azure.azureSdkAuth, azure.azurePowerShell],
    ...[
      clouds.oracle,
      clouds.ibm,
      clouds.alibaba,
      clouds.tencent,
      clouds.digitalocean,
      clouds.hetzner,
      clouds.scaleway,
      ...clouds.simpleClouds,
    ],
    ...[clouds.vultr, clouds.exoscale, clouds.civo, clouds.openstack, clouds.openstackInProject, clouds.yandex],
    ...[kubernetes.kubeconfig, kubernetes.serviceAccountToken, kubernetes.talos, kubernetes.rancher, kubernetes.argocd, kubernetes.helm],
    ...[docker.docker, docker.compose, kubernetes.secretManifest],
    ...[forges.gh, forges.glab, forges.hub, forges.tea, forges.ciRunner, forges.actionsRunner],
    ...[git.gitCredentials, git.gitConfig, git.netrc],
    ...[npm.npm, npm.npmInProject, npm.yarn, npm.yarnInProject],
    ...[python.pypirc, python.pip, python.poetry, python.uv, python.conda],
    ...[
      publish.cargo,
      publish.rubygems,
      publish.bundler,
      publish.maven,
      publish.nuget,
      publish.gradle,
      publish.gradleInProject,
      publish.sbt,
    ],
    ...[publish.dartPub, publish.hex, publish.terraform, publish.terraformRc],
    ...[agents.claude, agents.claudeConfig, agents.codex, agents.gemini, agents.mcpTokens, agents.copilot, agents.cursor, agents.opencode],
    ...[agents.otherAgents, agents.gooseSecrets, agents.mcpConfig, agents.mcpConfigUnproven],
    ...[publish.composer],
    ...[
      databases.pgpass,
      databases.pgService,
      databases.mysql,
      databases.snowflake,
      databases.snowsql,
      databases.databricks,
      databases.dbt,
      databases.confluent,
    ],
    ...[storage.rclone, storage.minio, storage.fileZilla],
    ...[
      ...hosting.hosting,
      ...hosting.singleTokens,
      hosting.huggingFaceStored,
      hosting.kaggle,
      hosting.railsKey,
      hosting.onePasswordConnect,
    ],
    ...[hosting.cloudflaredCert, hosting.curlrc],
    ...[system.shadow, system.wireguard, system.wifi, system.tailscale],
    age,
    ...[
      keys.opensshKey,
      keys.pemKey,
      keys.putty,
      keys.gnupg,
      keys.pgpExport,
      keys.acmeAccount,
      keys.pemInProject,
      keys.encryptedKey,
      keys.jwk,
    ],
    ...[...stores.stores, stores.derKey, stores.firefoxLogins, stores.solana, stores.electrum, stores.near, stores.nats],
    ...[questions.dotenv, questions.shellStartUp, questions.shellHistory, questions.projectConfig, questions.wordpress, questions.htpasswd],
  ];
}
