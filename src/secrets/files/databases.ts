/** Database clients and data warehouses. */
import { at, field, fieldsAt, span } from "./fields.ts";
import type { CredentialKind, Field } from "./file.ts";
import { iniLeaves } from "./ini.ts";
import { jsonLeaves } from "./json.ts";
import { isPassword, isToken } from "./literal.ts";
import { tomlLeaves, yamlLeaves } from "./tree.ts";

/** Lines `host:port:database:user:password`; `\:` and `\\` are escapes. */
export const pgpass: CredentialKind = {
  id: "pgpass",
  title: "PostgreSQL password file",
  class: "PROVEN",
  places: ["**/.pgpass", "%AD%/postgresql/pgpass.conf"],
  confirm(text) {
    const found: Field[] = [];
    for (const line of text.matchAll(/^(?!#)(?:(?:\\[:\\]|[^:\\\n\r\u2028\u2029]){1,512}:){4}([^\r\n\u2028\u2029]{1,1024})$/gm)) {
      const value = line[1] ?? "";
      const port = /^(?:\\[:\\]|[^:\\\n]){1,512}:(\d{1,5}|\*):/.test(line[0]);
      if (port && value !== "*" && isPassword(value))
        found.push(span(text, line.index + line[0].length - value.length, line.index + line[0].length, true));
    }
    return found;
  },
};

export const pgService: CredentialKind = {
  id: "pg-service",
  title: "PostgreSQL service file with a password",
  class: "PROVEN",
  places: ["**/.pg_service.conf"],
  confirm: (text) => fieldsAt(iniLeaves(text), ["*.password"], (value) => isPassword(value), true),
};

export const mysql: CredentialKind = {
  id: "mysql",
  title: "MySQL client configuration",
  class: "PROVEN",
  places: ["**/.my.cnf", "/root/.my.cnf", "/etc/mysql/debian.cnf"],
  confirm(text) {
    const leaves = iniLeaves(text, { fold: true });
    return leaves
      .filter((leaf) => /^(?:client|mysql)/.test(leaf.path[0] ?? "") && leaf.path[1] === "password" && isPassword(leaf.value))
      .map((leaf) => field(leaf, true));
  },
};

export const snowflake: CredentialKind = {
  id: "snowflake",
  title: "Snowflake connections",
  class: "PROVEN",
  places: ["**/.snowflake/connections.toml", "**/.snowflake/config.toml", "$XDG/snowflake/connections.toml", "$XDG/snowflake/config.toml"],
  confirm(text) {
    const leaves = tomlLeaves(text) ?? [];
    return at(leaves, "**.account").length === 0
      ? []
      : fieldsAt(leaves, ["**.password", "**.token", "**.private_key_passphrase"], (value) => isPassword(value), true);
  },
};

export const snowsql: CredentialKind = {
  id: "snowsql",
  title: "SnowSQL configuration",
  class: "PROVEN",
  places: ["**/.snowsql/config"],
  confirm: (text) => fieldsAt(iniLeaves(text), ["*.password", "*.proxy_password"], (value) => isPassword(value), true),
};

export const databricks: CredentialKind = {
  id: "databricks",
  title: "Databricks sign-in",
  class: "PROVEN",
  places: ["**/.databrickscfg"],
  confirm(text) {
    const leaves = iniLeaves(text);
    if (at(leaves, "*.host").length === 0) return [];
    return [
      ...fieldsAt(leaves, ["*.token"], (value) => value.startsWith("dap") && isToken(value, 30)),
      ...fieldsAt(leaves, ["*.client_secret", "*.azure_client_secret"], (value) => isToken(value, 20)),
      ...fieldsAt(leaves, ["*.password"], (value) => isPassword(value), true),
    ];
  },
};

export const dbt: CredentialKind = {
  id: "dbt",
  title: "dbt profiles",
  class: "PROVEN",
  places: ["**/.dbt/profiles.yml"],
  confirm(text) {
    const leaves = yamlLeaves(text) ?? [];
    return at(leaves, "*.outputs.*.type").length === 0
      ? []
      : fieldsAt(
          leaves,
          ["password", "pass", "token", "client_secret", "private_key"].map((key) => `*.outputs.*.${key}`),
          (value) => isPassword(value),
          true,
        );
  },
};

export const confluent: CredentialKind = {
  id: "confluent",
  title: "Confluent sign-in",
  class: "PROVEN",
  places: ["**/.confluent/config.json"],
  confirm: (text) =>
    fieldsAt(jsonLeaves(text) ?? [], ["**.auth_token", "**.auth_refresh_token", "**.api_secret"], (value) => isToken(value, 30)),
};
