import type { Logger } from '@hearth/service-kit/logger';
import { GgufFactsCache } from './gguf/gguf-facts-cache.js';
import { BundledModel } from './in-place/bundled-model.js';
import { FileModels } from './in-place/file-models.js';
import { scanFolder } from './in-place/folder-models.js';
import { scanHubCache } from './in-place/hub-cache-models.js';
import { ModelCatalogue } from './model-catalogue.js';
import { BlobStore } from './store/blob-store.js';
import { ManifestStore } from './store/manifest-store.js';
import { ShardLinks } from './store/shard-links.js';
import { StoreFolder } from './store/store-folder.js';
import { StoredModels } from './store/stored-models.js';

export interface ModelLibraryOptions {
  /** Where pulled and created models live; may be a store that another runner filled. */
  readonly storeFolder: string;
  /** Folders whose GGUF files are served where they lie. */
  readonly modelFolders: readonly string[];
  /** The Hugging Face cache, whose GGUF files are served where they lie. */
  readonly hubCacheFolder?: string | undefined;
  readonly bundledModelPath: string;
  readonly logger: Logger;
}

export interface ModelLibrary {
  readonly catalogue: ModelCatalogue;
}

/** Puts the model library together. Nothing is written until a model is pulled, created or deleted. */
export function openModelLibrary(options: ModelLibraryOptions): ModelLibrary {
  const { logger } = options;
  const folder = new StoreFolder(options.storeFolder);
  const facts = new GgufFactsCache();
  const blobs = new BlobStore(folder);
  const manifests = new ManifestStore(folder);
  const hubCacheFolder = options.hubCacheFolder;
  const catalogue = new ModelCatalogue([
    new StoredModels(manifests, blobs, new ShardLinks(folder, blobs), facts),
    new BundledModel(options.bundledModelPath, folder, facts),
    ...options.modelFolders.map(
      (root) => new FileModels({ origin: 'folder', scan: () => scanFolder(root), facts, logger }),
    ),
    ...(hubCacheFolder === undefined
      ? []
      : [new FileModels({ origin: 'hub-cache', scan: () => scanHubCache(hubCacheFolder), facts, logger })]),
  ]);
  return { catalogue };
}
