import { existsSync } from 'node:fs';
import type { Logger } from '@hearth/service-kit/logger';
import { BaseLayers } from './create/base-layers.js';
import { ModelCreator } from './create/model-creator.js';
import { GgufFactsCache } from './gguf/gguf-facts-cache.js';
import type { HubSettings } from './hub/hub-repository.js';
import { BundledModel } from './in-place/bundled-model.js';
import { FileModels } from './in-place/file-models.js';
import { scanFolders } from './in-place/folder-models.js';
import { scanHubCache } from './in-place/hub-cache-models.js';
import { ModelCatalogue } from './model-catalogue.js';
import { ModelLibrary } from './model-library.js';
import { parseModelName } from './model-name.js';
import { ModelPuller } from './pull/model-puller.js';
import { ModelPusher } from './push/model-pusher.js';
import { RegistryCredentials } from './registry/registry-credentials.js';
import { RegistryIdentity } from './registry/registry-identity.js';
import { BlobMarks } from './store/blob-marks.js';
import { BlobStore } from './store/blob-store.js';
import { BlobWriter } from './store/blob-writer.js';
import { ManifestStore } from './store/manifest-store.js';
import { ModelPublisher } from './store/model-publisher.js';
import { ShardLinks } from './store/shard-links.js';
import { StoreFolder } from './store/store-folder.js';
import { StoreLocks } from './store/store-locks.js';
import { StoredModels } from './store/stored-models.js';
import { briefRetries } from './transfer/back-off.js';
import { BlobDownloads, defaultThreadFromBytes } from './transfer/blob-downloads.js';
import { freeBytes } from './transfer/disk-space.js';
import { type DownloadTuning, defaultTuning } from './transfer/download-file.js';
import { HttpClient } from './transfer/http-client.js';
import { ProxyRules, type ProxySettings } from './transfer/proxy-rules.js';

export interface ModelLibraryOptions {
  /** Where pulled and created models live; may be a store that another runner filled. */
  readonly storeFolder: string;
  /** Where models in several files get their links when the store may only be read. */
  readonly linksFolder?: string;
  /** Folders whose GGUF files are served where they lie. */
  readonly modelFolders: readonly string[];
  /** The Hugging Face cache, whose GGUF files are served where they lie. */
  readonly hubCacheFolder?: string | undefined;
  readonly bundledModelPath: string;
  readonly hub?: HubSettings;
  readonly userAgent?: string;
  readonly logger: Logger;
  /** Tests choose short waits and a small disk. */
  readonly transfer?: Partial<DownloadTuning> & {
    readonly stallMs?: number;
    readonly freeBytes?: (folder: string) => Promise<number>;
    readonly trustedCertificates?: string;
    readonly threadFromBytes?: number;
    readonly threadEntry?: URL;
  };
  readonly proxies?: ProxySettings;
  /** The file that `docker login` writes, with user names and passwords for registries. */
  readonly registryAuthFile?: string | undefined;
}

/** Puts the model library together. Nothing is written until a model is pulled, created or deleted. */
export function openModelLibrary(options: ModelLibraryOptions): ModelLibrary {
  const { logger, hubCacheFolder, modelFolders } = options;
  for (const place of [...modelFolders, ...(hubCacheFolder === undefined ? [] : [hubCacheFolder])]) {
    if (!existsSync(place)) logger.warn({ folder: place }, 'there is no such folder to serve models from');
  }
  const folder = new StoreFolder(options.storeFolder);
  const facts = new GgufFactsCache();
  const blobs = new BlobStore(folder);
  const manifests = new ManifestStore(folder);
  const shards = new ShardLinks(folder, blobs, options.linksFolder);
  const bundled = new BundledModel(options.bundledModelPath, folder, facts);
  const catalogue = new ModelCatalogue([
    new StoredModels(manifests, blobs, shards, facts),
    bundled,
    new FileModels({ origin: 'folder', scan: () => scanFolders(modelFolders), facts, logger }),
    ...(hubCacheFolder === undefined
      ? []
      : [new FileModels({ origin: 'hub-cache', scan: () => scanHubCache(hubCacheFolder), facts, logger })]),
  ]);
  const tuning: DownloadTuning = {
    connections: options.transfer?.connections ?? defaultTuning.connections,
    spanBytes: options.transfer?.spanBytes ?? defaultTuning.spanBytes,
    takeOverAfterMs: options.transfer?.takeOverAfterMs ?? defaultTuning.takeOverAfterMs,
    retries: options.transfer?.retries ?? defaultTuning.retries,
  };
  const { transfer, proxies } = options;
  const clientOptions = {
    userAgent: options.userAgent ?? 'hearth',
    stallMs: transfer?.stallMs ?? 30_000,
    trustedCertificates: transfer?.trustedCertificates,
  };
  const client = new HttpClient({ ...clientOptions, proxies: proxies && new ProxyRules(proxies) });
  const locks = new StoreLocks(folder);
  const uploads = new BlobMarks(folder, 'uploads');
  const fetched = new BlobMarks(folder, 'fetched');
  const publisher = new ModelPublisher(manifests, blobs, shards, locks, logger);
  const identity = new RegistryIdentity(folder);
  const credentials = new RegistryCredentials(options.registryAuthFile);
  const askRetries = transfer?.retries ?? briefRetries;
  const puller = new ModelPuller({
    client,
    identity,
    credentials,
    hub: options.hub ?? { endpoint: 'https://huggingface.co', token: undefined },
    blobs,
    facts,
    downloads: new BlobDownloads(folder, blobs, locks, fetched, {
      tuning,
      freeBytes: transfer?.freeBytes ?? freeBytes,
      threadFromBytes: transfer?.threadFromBytes ?? defaultThreadFromBytes,
      threadEntry: transfer?.threadEntry ?? new URL('./transfer/download-thread.js', import.meta.url),
      client: { ...clientOptions, proxies },
    }),
    publisher,
    retries: askRetries,
  });
  const writer = new BlobWriter(folder, blobs, uploads);
  const creator = new ModelCreator({
    catalogue,
    base: new BaseLayers({ catalogue, manifests, blobs, writer }),
    blobs,
    facts,
    publisher,
    pull: (name, pullOptions) => puller.pull(parseModelName(name), pullOptions),
  });
  const pusher = new ModelPusher({
    client,
    identity,
    credentials,
    catalogue,
    manifests,
    blobs,
    askRetries,
    retries: tuning.retries,
  });
  const parts = {
    folder,
    catalogue,
    bundled,
    manifests,
    blobs,
    writer,
    uploads,
    fetched,
    publisher,
    puller,
    pusher,
    creator,
    client,
  };
  return new ModelLibrary(parts);
}
