import { createHash } from 'node:crypto';
import path from 'node:path';
import { nameWithoutQuant, quantLabel } from '../gguf/quant-label.js';
import {
  defaultHost,
  defaultNamespace,
  defaultTag,
  isValidModelName,
  type ModelName,
  modelNameKey,
} from '../model-name.js';
import type { NamedFile } from './file-models.js';
import { findGgufFiles } from './find-gguf-files.js';

/**
 * Names the models of folders after their files: `Qwen3-4B-Q4_K_M.gguf` is `Qwen3-4B:Q4_K_M`. Of two files that come to
 * the same name, the second takes its folder as namespace (`unsloth/Qwen3-4B:Q4_K_M`). One that finds no name that way,
 * because of its script or because that is taken too, gets a number that stays the same: no file is left out in silence.
 */
export async function scanFolders(roots: readonly string[]): Promise<readonly NamedFile[]> {
  const byKey = new Map<string, NamedFile>();
  const paths = new Set<string>();
  for (const root of roots) for (const file of await findGgufFiles(root)) paths.add(file);
  for (const file of paths) {
    const name = namesFor(file).find((one) => isValidModelName(one) && !byKey.has(modelNameKey(one)));
    if (name) byKey.set(modelNameKey(name), { name, path: file });
  }
  return [...byKey.values()];
}

/** The names that a file could have, the best first. */
function namesFor(file: string): readonly ModelName[] {
  const fileName = path.basename(file);
  const plain = {
    host: defaultHost,
    namespace: defaultNamespace,
    model: namePart(nameWithoutQuant(fileName)),
    tag: namePart(quantLabel(fileName) ?? defaultTag),
  };
  const folder = namePart(path.basename(path.dirname(file))).replaceAll('.', '-');
  const number = createHash('sha256').update(file).digest('hex').slice(0, 8);
  return [
    plain,
    { ...plain, namespace: folder },
    { ...plain, model: `${plain.model.slice(0, 70) || 'model'}-${number}` },
  ];
}

function namePart(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+/, '')
    .slice(0, 80)
    .replace(/[.-]+$/, '');
}
