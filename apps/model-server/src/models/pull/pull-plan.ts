import type { LayerDescriptor } from '../store/manifest.js';
import type { DownloadSource } from '../transfer/download-source.js';

export interface PlannedBlob {
  readonly descriptor: LayerDescriptor;
  readonly source: DownloadSource;
}

/** What a pull has to fetch, and the manifest that makes a model of it once everything is there. */
export interface PullPlan {
  readonly blobs: readonly PlannedBlob[];
  manifest(): Promise<string>;
}
