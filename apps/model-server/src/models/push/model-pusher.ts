import { GenerationError } from '../../generation/generation-error.js';
import { type ModelCatalogue, modelNotFound } from '../model-catalogue.js';
import { displayModelName, type ModelReference } from '../model-name.js';
import type { PullOptions } from '../pull/model-puller.js';
import { ThrottledProgress } from '../pull/progress.js';
import type { RegistryCredentials } from '../registry/registry-credentials.js';
import type { RegistryIdentity } from '../registry/registry-identity.js';
import { RegistrySession } from '../registry/registry-session.js';
import type { BlobStore } from '../store/blob-store.js';
import { type Digest, shortDigest } from '../store/digest.js';
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
  readonly catalogue: ModelCatalogue;
  readonly manifests: ManifestStore;
  readonly blobs: BlobStore;
  /** For the first question to the registry. */
  readonly askRetries: RetryPolicy;
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
    const { client, identity, credentials, manifests, retries, askRetries } = this.parts;
    const { insecure, signal, report } = options;
    const session = new RegistrySession({
      client,
      identity,
      credentials,
      reference,
      insecure,
      retries: askRetries,
    });
    report({ status: 'retrieving manifest' });
    const stored = await manifests.find(reference);
    if (!stored) throw await this.notStored(reference);
    const blobs = blobsOf(stored.manifest);
    // Asked once without much patience, so that a wrong host is told at once.
    await withRetries(askRetries, signal, () => this.isThere(session, stored.manifest.config.digest, signal));
    for (const blob of blobs) await this.pushBlob(session, blob, options);
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
        if (await this.isThere(session, digest, signal)) return;
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

  private async isThere(session: RegistrySession, digest: Digest, signal: AbortSignal): Promise<boolean> {
    const reply = await session.request({ path: `blobs/${digest}`, method: 'HEAD', signal });
    reply.body.resume();
    if (reply.status === 200 || reply.status === 404) return reply.status === 200;
    throw errorForStatus(reply.status, reply.headers, `push to ${session.host}`);
  }

  /** A model that is served from a file has no manifest to send; a copy of it has. */
  private async notStored(reference: ModelReference): Promise<GenerationError> {
    const name = displayModelName(reference);
    if (await this.parts.catalogue.findIfThere(name)) {
      return new GenerationError(
        'conflict',
        `model '${name}' is served from a file and not from the store: copy it to the name it shall have, and push that`,
      );
    }
    return modelNotFound(name);
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
