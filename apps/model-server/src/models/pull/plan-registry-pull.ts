import { GenerationError } from '../../generation/generation-error.js';
import type { RegistrySession } from '../registry/registry-session.js';
import { blobsOf, layerMediaTypes, layersOf, parseManifest } from '../store/manifest.js';
import type { PullPlan } from './pull-plan.js';

/** The registry's manifest is kept byte for byte, so that its digest stays the one the registry knows. */
export async function planRegistryPull(session: RegistrySession, signal: AbortSignal): Promise<PullPlan> {
  const text = await session.manifest(signal);
  const manifest = parseManifest(text);
  if (!manifest) {
    throw new GenerationError('upstream-failed', `${session.host} sent a manifest that cannot be read`);
  }
  if (layersOf(manifest, layerMediaTypes.tensor).length > 0) {
    throw new GenerationError(
      'unsupported',
      'this model is not in GGUF format, the only one this server runs',
    );
  }
  if (layersOf(manifest, layerMediaTypes.model).length === 0) {
    throw new GenerationError('unsupported', 'this model has no file to run here; it is served by a cloud');
  }
  return {
    blobs: blobsOf(manifest).map((descriptor) => ({ descriptor, source: session.blob(descriptor.digest) })),
    manifest: async () => text,
  };
}
