/** Environment variables that move a credential file. Only the caller's own environment counts, never a command's. */

/** Variable naming a folder, and the folder in the home it stands for. */
export const FOLDER_OVERRIDES: readonly (readonly [variable: string, target: string])[] = [
  ["XDG_CONFIG_HOME", ".config"],
  ["XDG_DATA_HOME", ".local/share"],
  ["XDG_CACHE_HOME", ".cache"],
  ["APPDATA", "AppData/Roaming"],
  ["LOCALAPPDATA", "AppData/Local"],
  ["CARGO_HOME", ".cargo"],
  ["CLAUDE_CONFIG_DIR", ".claude"],
  ["CODEX_HOME", ".codex"],
  ["GH_CONFIG_DIR", ".config/gh"],
  ["GLAB_CONFIG_DIR", ".config/glab-cli"],
  ["DOCKER_CONFIG", ".docker"],
  ["AZURE_CONFIG_DIR", ".azure"],
  ["CLOUDSDK_CONFIG", ".config/gcloud"],
  ["COMPOSER_HOME", ".composer"],
  ["GNUPGHOME", ".gnupg"],
  ["GRADLE_USER_HOME", ".gradle"],
  ["HF_HOME", ".cache/huggingface"],
  ["KAGGLE_CONFIG_DIR", ".kaggle"],
  ["PULUMI_HOME", ".pulumi"],
  ["HELM_CONFIG_HOME", ".config/helm"],
  ["OCI_CLI_CONFIG_DIR", ".oci"],
  ["POETRY_CONFIG_DIR", ".config/pypoetry"],
  ["SNOWFLAKE_HOME", ".snowflake"],
];

/** Variable naming a file (KUBECONFIG: several), and the file in the home it stands for. */
export const FILE_OVERRIDES: readonly (readonly [variable: string, target: string])[] = [
  ["AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials"],
  ["AWS_CONFIG_FILE", ".aws/config"],
  ["GOOGLE_APPLICATION_CREDENTIALS", ".config/gcloud/application_default_credentials.json"],
  ["KUBECONFIG", ".kube/config"],
  ["REGISTRY_AUTH_FILE", ".docker/config.json"],
  ["NPM_CONFIG_USERCONFIG", ".npmrc"],
  ["npm_config_userconfig", ".npmrc"],
  ["PIP_CONFIG_FILE", ".config/pip/pip.conf"],
  ["NETRC", ".netrc"],
  ["PGPASSFILE", ".pgpass"],
  ["PGSERVICEFILE", ".pg_service.conf"],
  ["SOPS_AGE_KEY_FILE", ".config/sops/age/keys.txt"],
  ["RCLONE_CONFIG", ".config/rclone/rclone.conf"],
  ["TF_CLI_CONFIG_FILE", ".terraformrc"],
  ["HF_TOKEN_PATH", ".cache/huggingface/token"],
  ["OCI_CLI_CONFIG_FILE", ".oci/config"],
  ["DATABRICKS_CONFIG_FILE", ".databrickscfg"],
  ["BOTO_CONFIG", ".boto"],
  ["HELM_REPOSITORY_CONFIG", ".config/helm/repositories.yaml"],
  ["BUNDLE_USER_CONFIG", ".bundle/config"],
  ["OS_CLIENT_CONFIG_FILE", ".config/openstack/clouds.yaml"],
];

/** All of these variables: their values are places, no secrets. */
export const CREDENTIAL_PLACES: ReadonlySet<string> = new Set([...FOLDER_OVERRIDES, ...FILE_OVERRIDES].map(([variable]) => variable));
