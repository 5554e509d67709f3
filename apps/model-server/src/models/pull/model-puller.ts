import { GenerationError } from '../../generation/generation-error.js';
import { GgufError } from '../gguf/gguf-error.js';
import type { GgufFactsCache } from '../gguf/gguf-facts-cache.js';
import { readGgufHeader } from '../gguf/read-gguf-header.js';
import { HubRepository, type HubSettings } from '../hub/hub-repository.js';
import type { ModelReference } from '../model-name.js';
import type { RegistryCredentials } from '../registry/registry-credentials.js';
import type { RegistryIdentity } from '../registry/registry-identity.js';
import { RegistrySession } from '../registry/registry-session.js';
import type { BlobStore } from '../store/blob-store.js';
import { type Digest, shortDigest } from '../store/digest.js';
import { layerMediaTypes } from '../store/manifest.js';
import type { ModelPublisher } from '../store/model-publisher.js';
import type { RetryPolicy } from '../transfer/back-off.js';
import type { BlobDownloads } from '../transfer/blob-downloads.js';
import type { HttpClient } from '../transfer/http-client.js';
import { TransferError } from '../transfer/transfer-error.js';
import { planHubPull } from './plan-hub-pull.js';
import { planRegistryPull } from './plan-registry-pull.js';
import { type ReportProgress, ThrottledProgress } from './progress.js';
import type { PlannedBlob, PullPlan } from './pull-plan.js';

export interface PullOptions {
  readonly insecure: boolean;
  readonly signal: AbortSignal;
  readonly report: ReportProgress;
}

export interface ModelPullerParts {
  readonly client: HttpClient;
  readonly identity: RegistryIdentity;
  readonly credentials: RegistryCredentials;
  readonly hub: HubSettings;
  readonly blobs: BlobStore;
  readonly facts: GgufFactsCache;
  readonly downloads: BlobDownloads;
  readonly publisher: ModelPublisher;
  readonly retries: RetryPolicy;
}

const hubHosts = new Set(['hf.co', 'www.hf.co', 'huggingface.co', 'www.huggingface.co']);

/** Fetches models from registries and from Hugging Face. Nothing gets its name before all of it is there and right. */
export class ModelPuller {
  constructor(private readonly parts: ModelPullerParts) {}

  async pull(reference: ModelReference, options: PullOptions): Promise<void> {
    try {
      await this.pullOrThrow(reference, options);
    } catch (error) {
      if (!(error instanceof TransferError) || options.signal.aborted) throw error;
      throw new GenerationError('upstream-failed', error.message, { cause: error });
    }
  }

  private async pullOrThrow(reference: ModelReference, options: PullOptions): Promise<void> {
    const { downloads, publisher } = this.parts;
    const { signal, report } = options;
    report({ status: 'pulling manifest' });
    const plan = await this.plan(reference, options);
    await downloads.requireSpaceFor(plan.blobs.map(wanted));
    // Once more if another caller's delete took a blob away in between, which is rare; then it is an error.
    for (let attempt = 0; ; attempt += 1) {
      for (const blob of plan.blobs) await this.fetch(blob, options);
      report({ status: 'verifying sha256 digest' });
      await this.requireGguf(plan);
      report({ status: 'writing manifest' });
      signal.throwIfAborted();
      const { missing, removedUnused } = await publisher.publish(reference, await plan.manifest());
      if (missing.length === 0) {
        await downloads.settle(digestsOf(plan));
        if (removedUnused) report({ status: 'removing unused layers' });
        break;
      }
      if (attempt > 0) throw new GenerationError('conflict', 'the model was deleted while it was pulled');
    }
    report({ status: 'success' });
  }

  private async plan(reference: ModelReference, { insecure, signal }: PullOptions): Promise<PullPlan> {
    const { client, identity, credentials, hub, blobs, facts, retries } = this.parts;
    if (hubHosts.has(reference.host.toLowerCase())) {
      const id = `${reference.namespace}/${reference.model}`;
      const repository = new HubRepository({ client, settings: hub, id, insecure, retries });
      return await planHubPull({ repository, tag: reference.tag, blobs, facts, signal });
    }
    const session = new RegistrySession({ client, identity, credentials, reference, insecure, retries });
    return await planRegistryPull(session, signal);
  }

  private async fetch(blob: PlannedBlob, { signal, report }: PullOptions): Promise<void> {
    const { digest, size: totalBytes } = blob.descriptor;
    const status = `pulling ${shortDigest(digest)}`;
    const progress = new ThrottledProgress((completedBytes) =>
      report({ status, digest, totalBytes, completedBytes }),
    );
    let completedBytes: number | undefined;
    try {
      if (await this.parts.downloads.isThere(wanted(blob))) {
        await this.parts.downloads.keepForLonger(digest);
      } else {
        progress.update(0);
        await this.parts.downloads.fetch(wanted(blob), {
          signal,
          onProgress: (bytes) => progress.update(bytes),
        });
      }
      completedBytes = totalBytes;
    } finally {
      progress.finish(completedBytes);
    }
  }

  /** The bytes are the ones the registry meant; whether they are a model that can run is another question. */
  private async requireGguf(plan: PullPlan): Promise<void> {
    for (const { descriptor } of plan.blobs) {
      if (descriptor.mediaType !== layerMediaTypes.model) continue;
      try {
        await readGgufHeader(this.parts.blobs.pathOf(descriptor.digest), { keepArraysUpTo: 0 });
      } catch (error) {
        if (!(error instanceof GgufError)) throw error;
        const areGone = await this.parts.publisher.discard(digestsOf(plan));
        if (areGone) await this.parts.downloads.settle(digestsOf(plan));
        throw new GenerationError('unsupported', `this model cannot run here: ${error.message}`);
      }
    }
  }
}

function digestsOf(plan: PullPlan): readonly Digest[] {
  return plan.blobs.map(({ descriptor }) => descriptor.digest);
}

function wanted({ descriptor, source }: PlannedBlob) {
  return { digest: descriptor.digest, sizeBytes: descriptor.size, source };
}
