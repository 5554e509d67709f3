import { GenerationError } from '../../generation/generation-error.js';
import type { GgufFactsCache } from '../gguf/gguf-facts-cache.js';
import type { ModelCatalogue } from '../model-catalogue.js';
import type { ModelEntry } from '../model-entry.js';
import { parseModelName } from '../model-name.js';
import type { PullOptions } from '../pull/model-puller.js';
import type { ReportProgress } from '../pull/progress.js';
import type { BlobStore } from '../store/blob-store.js';
import { digestOf } from '../store/digest.js';
import {
  encodeManifest,
  type LayerDescriptor,
  layerMediaTypes,
  ownTemplateAnnotation,
} from '../store/manifest.js';
import { writeModelConfig } from '../store/model-config.js';
import type { ModelPublisher } from '../store/model-publisher.js';
import { requireUsableTemplate } from '../template/usable-template.js';
import type { BaseLayers } from './base-layers.js';
import type { CreateSpec } from './create-spec.js';

export interface ModelCreatorParts {
  readonly catalogue: ModelCatalogue;
  readonly base: BaseLayers;
  readonly blobs: BlobStore;
  readonly facts: GgufFactsCache;
  readonly publisher: ModelPublisher;
  readonly pull: (name: string, options: PullOptions) => Promise<void>;
}

export interface CreateOptions {
  readonly signal: AbortSignal;
  readonly report: ReportProgress;
}

/** Makes models from other models or from files. Big layers are shared, never copied. */
export class ModelCreator {
  constructor(private readonly parts: ModelCreatorParts) {}

  async create(spec: CreateSpec, options: CreateOptions): Promise<void> {
    const { blobs, facts, publisher } = this.parts;
    const { report } = options;
    const name = parseModelName(spec.name);
    const { withoutEffect = [] } = spec;
    if (withoutEffect.length > 0) report({ status: `without effect here: ${withoutEffect.join(', ')}` });
    if (spec.template !== undefined) requireUsableTemplate(spec.template);
    const base = await this.baseLayers(spec, options);
    const layers = await this.withChanges(base, spec, report);
    const first = layers.find((layer) => layer.mediaType === layerMediaTypes.model);
    if (!first) throw new GenerationError('unsupported', 'there is no model file to build on');
    const config = await writeModelConfig(blobs, await facts.read(blobs.pathOf(first.digest)));
    report({ status: 'writing manifest' });
    options.signal.throwIfAborted();
    const { missing } = await publisher.publish(name, encodeManifest(config, layers));
    if (missing.length > 0) {
      throw new GenerationError(
        'conflict',
        'a file of the model was deleted while it was being made; try again',
      );
    }
    report({ status: 'success' });
  }

  private async baseLayers(spec: CreateSpec, options: CreateOptions): Promise<readonly LayerDescriptor[]> {
    if (spec.files !== undefined && Object.keys(spec.files).length > 0) {
      return await this.parts.base.ofFiles(spec.files, options.report);
    }
    if (spec.from === undefined || spec.from === '') {
      throw new GenerationError('invalid-request', "neither 'from' or 'files' was specified", {
        param: 'from',
      });
    }
    return await this.parts.base.ofModel(await this.findOrPull(spec.from, options), options);
  }

  private async findOrPull(name: string, options: CreateOptions): Promise<ModelEntry> {
    const { catalogue, pull } = this.parts;
    const here = await catalogue.findIfThere(name);
    if (here) return here;
    const report: ReportProgress = (progress) => {
      // The end of the pull is not the end of the creation.
      if (progress.status !== 'success') options.report(progress);
    };
    await pull(name, { insecure: false, signal: options.signal, report });
    return await catalogue.find(name);
  }

  private async withChanges(
    base: readonly LayerDescriptor[],
    spec: CreateSpec,
    report: ReportProgress,
  ): Promise<readonly LayerDescriptor[]> {
    let layers = [...base];
    const put = async (
      mediaType: string,
      text: string,
      options: { readonly keepOthers?: boolean; readonly annotations?: Record<string, string> } = {},
    ) => {
      const isThere = await this.parts.blobs.has(digestOf(text));
      const written = await this.parts.blobs.writeText(mediaType, text);
      const layer = options.annotations ? { ...written, annotations: options.annotations } : written;
      report({ status: `${isThere ? 'using existing' : 'creating new'} layer ${layer.digest}` });
      if (options.keepOthers !== true) layers = layers.filter((one) => one.mediaType !== mediaType);
      if (!layers.some((one) => one.mediaType === mediaType && one.digest === layer.digest))
        layers.push(layer);
    };
    if (spec.template !== undefined) {
      await put(layerMediaTypes.template, spec.template, {
        annotations: { [ownTemplateAnnotation]: 'true' },
      });
    }
    if (spec.system !== undefined) await put(layerMediaTypes.system, spec.system);
    for (const license of spec.licenses ?? []) {
      await put(layerMediaTypes.license, license, { keepOthers: true });
    }
    if (spec.parameters !== undefined && Object.keys(spec.parameters).length > 0) {
      const before = layers.find((layer) => layer.mediaType === layerMediaTypes.params);
      const inherited = before ? ((await this.parts.blobs.readText(before.digest)) ?? '{}') : '{}';
      await put(layerMediaTypes.params, JSON.stringify({ ...safeObject(inherited), ...spec.parameters }));
    }
    if (spec.messages !== undefined && spec.messages.length > 0) {
      await put(layerMediaTypes.messages, JSON.stringify(spec.messages));
    }
    return layers;
  }
}

function safeObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
