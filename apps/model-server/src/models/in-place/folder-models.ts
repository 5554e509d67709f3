import path from 'node:path';
import { nameWithoutQuant, quantLabel } from '../gguf/quant-label.js';
import { defaultHost, defaultNamespace, defaultTag, isValidModelName, modelNameKey } from '../model-name.js';
import type { NamedFile } from './file-models.js';
import { findGgufFiles } from './find-gguf-files.js';

/**
 * Names the models of a folder after their files: `Qwen3-4B-Q4_K_M.gguf` is `Qwen3-4B:Q4_K_M`. Of two files that
 * come to the same name, the second takes its folder as namespace (`unsloth/Qwen3-4B:Q4_K_M`).
 */
export async function scanFolder(root: string): Promise<readonly NamedFile[]> {
  const byKey = new Map<string, NamedFile>();
  for (const file of await findGgufFiles(root)) {
    const fileName = path.basename(file);
    const plain = {
      host: defaultHost,
      namespace: defaultNamespace,
      model: namePart(nameWithoutQuant(fileName)),
      tag: namePart(quantLabel(fileName) ?? defaultTag),
    };
    const inFolder = {
      ...plain,
      namespace: namePart(path.basename(path.dirname(file))).replaceAll('.', '-'),
    };
    const name = [plain, inFolder].find((one) => isValidModelName(one) && !byKey.has(modelNameKey(one)));
    if (name) byKey.set(modelNameKey(name), { name, path: file });
  }
  return [...byKey.values()];
}

function namePart(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+/, '')
    .slice(0, 80)
    .replace(/[.-]+$/, '');
}
