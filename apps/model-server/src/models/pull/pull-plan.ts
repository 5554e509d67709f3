import type { LayerDescriptor } from '../store/manifest.js';
import type { UrlSource } from '../transfer/url-source.js';

export interface PlannedBlob {
  readonly descriptor: LayerDescriptor;
  readonly source: UrlSource;
}

/** What a pull has to fetch, and the manifest that makes a model of it once everything is there. */
export interface PullPlan {
  readonly blobs: readonly PlannedBlob[];
  manifest(): Promise<string>;
}
