import { GenerationError } from '../generation/generation-error.js';
import type { CreateSpec } from './create/create-spec.js';
import type { CreateOptions, ModelCreator } from './create/model-creator.js';
import { type BundledModel, bundledModelName } from './in-place/bundled-model.js';
import { type ModelCatalogue, modelNotFound } from './model-catalogue.js';
import { modelNameKey, parseModelName, tryParseModelName } from './model-name.js';
import type { ModelPuller, PullOptions } from './pull/model-puller.js';
import type { ModelPusher } from './push/model-pusher.js';
import type { BlobMarks } from './store/blob-marks.js';
import type { BlobStore } from './store/blob-store.js';
import type { BlobWriter } from './store/blob-writer.js';
import { shortDigest } from './store/digest.js';
import type { ManifestStore } from './store/manifest-store.js';
import type { ModelPublisher } from './store/model-publisher.js';
import { storeError } from './store/store-error.js';
import type { StoreFolder } from './store/store-folder.js';
import type { HttpClient } from './transfer/http-client.js';

export interface ModelLibraryParts {
  readonly catalogue: ModelCatalogue;
  readonly bundled: BundledModel;
  readonly manifests: ManifestStore;
  readonly blobs: BlobStore;
  readonly writer: BlobWriter;
  readonly uploads: BlobMarks;
  readonly fetched: BlobMarks;
  readonly publisher: ModelPublisher;
  readonly puller: ModelPuller;
  readonly pusher: ModelPusher;
  readonly creator: ModelCreator;
  readonly client: HttpClient;
  readonly folder: StoreFolder;
}

/** Everything that can be done with the models of this server, besides running them. */
export class ModelLibrary {
  constructor(private readonly parts: ModelLibraryParts) {}

  get catalogue(): ModelCatalogue {
    return this.parts.catalogue;
  }

  get blobs(): Pick<BlobStore, 'has'> & Pick<BlobWriter, 'writeStream'> {
    const { blobs, writer } = this.parts;
    return {
      has: (digest) => blobs.has(digest),
      writeStream: (digest, content) => inStore(() => writer.writeStream(digest, content)),
    };
  }

  async pull(name: string, options: PullOptions): Promise<void> {
    const reference = parseModelName(name);
    if (modelNameKey(reference) === modelNameKey(bundledModelName)) {
      if (await this.restoreBundled(options)) return;
    }
    await inStore(() => this.parts.puller.pull(reference, options));
  }

  async push(name: string, options: PullOptions): Promise<void> {
    await inStore(() => this.parts.pusher.push(parseModelName(name), options));
  }

  async create(spec: CreateSpec, options: CreateOptions): Promise<void> {
    await inStore(() => this.parts.creator.create(spec, options));
  }

  /** A second name for a model; its big files are shared. */
  async copy(source: string, destination: string, signal: AbortSignal): Promise<void> {
    const sourceName = tryParseModelName(source);
    if (!sourceName) throw invalidName('source', source);
    const destinationName = tryParseModelName(destination);
    if (!destinationName) throw invalidName('destination', destination);
    const entry = await this.catalogue.findIfThere(source);
    if (!entry) {
      throw new GenerationError('model-not-found', `model "${source}" not found`, { param: 'source' });
    }
    const stored = entry.origin === 'store' ? await this.parts.manifests.find(sourceName) : undefined;
    if (!stored) {
      await this.create({ name: destination, from: entry.name }, { signal, report: () => undefined });
      return;
    }
    if (modelNameKey(stored.name) === modelNameKey(destinationName)) return;
    const { missing } = await inStore(() => this.parts.publisher.publish(destinationName, stored.text));
    if (missing.length > 0) {
      throw new GenerationError('conflict', `model "${source}" is incomplete: pull it again`);
    }
  }

  /** Deletes a model and what no other model needs of it. Files served in place are the user's own and stay. */
  async delete(name: string): Promise<void> {
    const entry = await this.catalogue.find(name);
    switch (entry.origin) {
      case 'store': {
        const isRemoved = await inStore(() => this.parts.publisher.remove(parseModelName(entry.name)));
        if (!isRemoved) throw modelNotFound(name);
        break;
      }
      case 'bundled':
        await inStore(() => this.parts.bundled.hide());
        break;
      default:
        throw new GenerationError(
          'conflict',
          `model '${entry.name}' is a file served in place (${entry.ggufPath}); delete the file to delete the model`,
        );
    }
  }

  /** The bundled model comes from nowhere but here, and a pull of it works without a network. */
  private async restoreBundled({ report }: PullOptions): Promise<boolean> {
    const entry = await this.parts.bundled.restore();
    if (!entry) return false;
    const { digest, sizeBytes } = await this.parts.bundled.fileDigest();
    report({ status: 'pulling manifest' });
    report({
      status: `pulling ${shortDigest(digest)}`,
      digest,
      totalBytes: sizeBytes,
      completedBytes: sizeBytes,
    });
    report({ status: 'verifying sha256 digest' });
    report({ status: 'writing manifest' });
    report({ status: 'success' });
    return true;
  }

  /**
   * Takes away what a program that died has left behind, and what no model came to need: uploads after a day, parts of
   * pulls that were given up after a month, as long as their unfinished downloads are kept.
   */
  async tidy(now: Date): Promise<void> {
    const { folder, publisher, uploads, fetched } = this.parts;
    const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000);
    await folder.tidy(now);
    await publisher.collectMarked(uploads, daysAgo(1));
    await publisher.collectMarked(fetched, daysAgo(30));
  }

  /** Gives back the connections that are kept for the next download. */
  close(): void {
    this.parts.client.close();
  }
}

async function inStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeError(error);
  }
}

function invalidName(field: string, name: string): GenerationError {
  return new GenerationError('invalid-request', `${field} "${name}" is invalid`, { param: field });
}
