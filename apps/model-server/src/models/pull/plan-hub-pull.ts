import path from 'node:path';
import { GenerationError } from '../../generation/generation-error.js';
import type { GgufFactsCache } from '../gguf/gguf-facts-cache.js';
import { availableQuants, chooseGguf, type HubFile } from '../hub/choose-gguf.js';
import type { HubRepository } from '../hub/hub-repository.js';
import type { BlobStore } from '../store/blob-store.js';
import {
  encodeManifest,
  fileNameAnnotation,
  type LayerDescriptor,
  layerMediaTypes,
} from '../store/manifest.js';
import { writeModelConfig } from '../store/model-config.js';
import type { PlannedBlob, PullPlan } from './pull-plan.js';

/** Files by which a repository says how its model is to be run; read only from its top folder. */
const companions = {
  template: layerMediaTypes.template,
  system: layerMediaTypes.system,
  params: layerMediaTypes.params,
};
const maxCompanionBytes = 1024 * 1024;

/** A hub has files and no manifest: the files are chosen here, and the manifest is made of what they turn out to be. */
export async function planHubPull(options: {
  readonly repository: HubRepository;
  readonly tag: string;
  readonly blobs: BlobStore;
  readonly facts: GgufFactsCache;
  readonly signal: AbortSignal;
}): Promise<PullPlan> {
  const { repository, tag, blobs, facts, signal } = options;
  const commit = await repository.commit(signal);
  const files = await repository.files(commit, signal);
  const chosen = chooseGguf(files, tag);
  if (!chosen) throw nothingFits(files, tag);
  const planned = chosen.map(
    (file): PlannedBlob => ({ descriptor: modelLayer(file), source: repository.file(commit, file) }),
  );
  return {
    blobs: planned,
    manifest: async () => {
      const layers = planned.map((blob) => blob.descriptor);
      for (const [name, mediaType] of Object.entries(companions)) {
        const file = files.find((one) => one.path === name && one.sizeBytes <= maxCompanionBytes);
        if (!file) continue;
        const text = await repository.text(commit, file, maxCompanionBytes, signal);
        layers.push(await blobs.writeText(mediaType, text));
      }
      const firstFile = planned[0]?.descriptor;
      if (!firstFile) throw new Error('a plan without files');
      return encodeManifest(
        await writeModelConfig(blobs, await facts.read(blobs.pathOf(firstFile.digest))),
        layers,
      );
    },
  };
}

function modelLayer(file: HubFile): LayerDescriptor {
  if (file.sha256 === undefined) {
    throw new GenerationError(
      'unsupported',
      `the hub gives no SHA-256 for ${file.path}, so it cannot be verified`,
    );
  }
  return {
    mediaType: layerMediaTypes.model,
    digest: `sha256:${file.sha256}`,
    size: file.sizeBytes,
    annotations: { [fileNameAnnotation]: path.basename(file.path) },
  };
}

function nothingFits(files: readonly HubFile[], tag: string): GenerationError {
  const available = availableQuants(files);
  const message =
    available.length === 0
      ? 'this repository has no GGUF file'
      : `no GGUF file fits "${tag}"; there are: ${available.join(', ')}`;
  return new GenerationError('model-not-found', message, { param: 'model' });
}
