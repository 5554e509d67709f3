import { GenerationError } from '../../generation/generation-error.js';
import { displayModelName, type ModelReference } from '../model-name.js';
import type { PullOptions } from '../pull/model-puller.js';
import { ThrottledProgress } from '../pull/progress.js';
import type { RegistryCredentials } from '../registry/registry-credentials.js';
import type { RegistryIdentity } from '../registry/registry-identity.js';
import { RegistrySession } from '../registry/registry-session.js';
import type { BlobStore } from '../store/blob-store.js';
import { shortDigest } from '../store/digest.js';
import { blobsOf, type LayerDescriptor, manifestMediaType } from '../store/manifest.js';
import type { ManifestStore } from '../store/manifest-store.js';
import { type RetryPolicy, withRetries } from '../transfer/back-off.js';
import type { HttpClient } from '../transfer/http-client.js';
import { errorForStatus, TransferError } from '../transfer/transfer-error.js';
import { uploadBlob } from './upload-blob.js';

export interface ModelPusherParts {
  readonly client: HttpClient;
  readonly identity: RegistryIdentity;
  readonly credentials: RegistryCredentials;
  readonly manifests: ManifestStore;
  readonly blobs: BlobStore;
  readonly retries: RetryPolicy;
}

/** Sends models to a registry that speaks the v2 protocol. */
export class ModelPusher {
  constructor(private readonly parts: ModelPusherParts) {}

  async push(reference: ModelReference, options: PullOptions): Promise<void> {
    try {
      await this.pushOrThrow(reference, options);
    } catch (error) {
      if (!(error instanceof TransferError) || options.signal.aborted) throw error;
      throw new GenerationError('upstream-failed', await this.explain(error, reference), { cause: error });
    }
  }

  private async pushOrThrow(reference: ModelReference, options: PullOptions): Promise<void> {
    const { client, identity, credentials, manifests, retries } = this.parts;
    const { insecure, signal, report } = options;
    const session = new RegistrySession({ client, identity, credentials, reference, insecure, retries });
    report({ status: 'retrieving manifest' });
    const stored = await manifests.find(reference);
    if (!stored) {
      throw new GenerationError('model-not-found', `model '${displayModelName(reference)}' not found`, {
        param: 'model',
      });
    }
    for (const blob of blobsOf(stored.manifest)) await this.pushBlob(session, blob, options);
    report({ status: 'pushing manifest' });
    await withRetries(retries, signal, async () => {
      const reply = await session.request({
        path: `manifests/${reference.tag}`,
        method: 'PUT',
        headers: { 'content-type': manifestMediaType },
        body: stored.text,
        signal,
      });
      reply.body.resume();
      if (reply.status >= 300) throw errorForStatus(reply.status, reply.headers, `push to ${session.host}`);
    });
    report({ status: 'success' });
  }

  private async pushBlob(
    session: RegistrySession,
    blob: LayerDescriptor,
    options: PullOptions,
  ): Promise<void> {
    const { signal, report } = options;
    const { digest, size: totalBytes } = blob;
    const status = `pushing ${shortDigest(digest)}`;
    const progress = new ThrottledProgress((completedBytes) =>
      report({ status, digest, totalBytes, completedBytes }),
    );
    let completedBytes: number | undefined;
    try {
      await withRetries(this.parts.retries, signal, async () => {
        const there = await session.request({ path: `blobs/${digest}`, method: 'HEAD', signal });
        there.body.resume();
        if (there.status === 200) return;
        if (there.status !== 404) {
          throw errorForStatus(there.status, there.headers, `push to ${session.host}`);
        }
        progress.update(0);
        await uploadBlob({
          session,
          path: this.parts.blobs.pathOf(digest),
          digest,
          sizeBytes: totalBytes,
          signal,
          onProgress: (bytes) => progress.update(bytes),
        });
      });
      completedBytes = totalBytes;
    } finally {
      progress.finish(completedBytes);
    }
  }

  /** Who is refused needs to know which key the registry must learn. */
  private async explain(error: TransferError, reference: ModelReference): Promise<string> {
    if (error.status !== 401 && error.status !== 403) return error.message;
    if ((await this.parts.credentials.basicFor(reference.host)) !== undefined) {
      return `${reference.host} refuses this push: the login for it is wrong or may not push there`;
    }
    const key = await this.parts.identity.publicKeyLine();
    return `${reference.host} refuses this push: register this server's public key there: ${key}`;
  }
}
