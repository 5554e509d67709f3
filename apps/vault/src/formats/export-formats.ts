import type { SecretEntry } from './secret-entry.js';
import { writeDocker } from './write-docker.js';
import { writeDotenv } from './write-dotenv.js';
import { writeJson } from './write-json.js';
import { writeShell } from './write-shell.js';
import { writeYaml } from './write-yaml.js';

export interface ExportFormatWriter {
  readonly write: (entries: readonly SecretEntry[]) => string;
  readonly contentType: string;
  /** What a downloaded file is called, after the vault and environment. */
  readonly fileEnding: string;
}

export const exportFormats = {
  dotenv: { write: writeDotenv, contentType: 'text/plain; charset=utf-8', fileEnding: 'env' },
  json: { write: writeJson, contentType: 'application/json; charset=utf-8', fileEnding: 'json' },
  yaml: { write: writeYaml, contentType: 'application/yaml; charset=utf-8', fileEnding: 'yaml' },
  shell: { write: writeShell, contentType: 'text/x-shellscript; charset=utf-8', fileEnding: 'sh' },
  docker: { write: writeDocker, contentType: 'text/plain; charset=utf-8', fileEnding: 'docker.env' },
} as const satisfies Readonly<Record<string, ExportFormatWriter>>;

export type ExportFormat = keyof typeof exportFormats;
