import type { BundledModel } from './in-place/bundled-model.js';
import { bundledModelName } from './in-place/bundled-model.js';
import type { ModelCatalogue } from './model-catalogue.js';
import { modelNameKey, parseModelName } from './model-name.js';
import type { ModelPuller, PullOptions } from './pull/model-puller.js';
import { shortDigest } from './store/digest.js';
import type { HttpClient } from './transfer/http-client.js';

export interface ModelLibraryParts {
  readonly catalogue: ModelCatalogue;
  readonly bundled: BundledModel;
  readonly puller: ModelPuller;
  readonly client: HttpClient;
}

/** Everything that can be done with the models of this server, besides running them. */
export class ModelLibrary {
  constructor(private readonly parts: ModelLibraryParts) {}

  get catalogue(): ModelCatalogue {
    return this.parts.catalogue;
  }

  async pull(name: string, options: PullOptions): Promise<void> {
    const reference = parseModelName(name);
    if (modelNameKey(reference) === modelNameKey(bundledModelName)) {
      if (await this.restoreBundled(options)) return;
    }
    await this.parts.puller.pull(reference, options);
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

  /** Gives back the connections that are kept for the next download. */
  close(): void {
    this.parts.client.close();
  }
}
