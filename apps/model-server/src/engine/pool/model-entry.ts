import type { KeepAlive } from '../../generation/generation-request.js';
import type { ModelFile } from '../../generation/model-source.js';
import type { EngineProcess } from '../process/engine-process.js';
import { fileFingerprint } from './file-fingerprint.js';

/** A model that is loading, loaded or on its way out. */
export class ModelEntry {
  readonly file: ModelFile;
  keepAlive: KeepAlive;
  process: EngineProcess | undefined;
  loading: Promise<EngineProcess> | undefined;
  stopping: Promise<void> | undefined;
  /** No new requests: it is to be loaded anew, or unloaded, as soon as the present ones are done. */
  draining = false;
  users = 0;
  lastUsed = Date.now();
  loadDurationMs = 0;
  reservedBytes = 0;
  expiresAt: number | undefined;
  /** Taken before the load: a file replaced meanwhile is loaded once more, never missed. */
  readonly #fingerprint: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: ModelFile, keepAlive: KeepAlive) {
    this.file = file;
    this.#fingerprint = fileFingerprint(file.path);
    this.keepAlive = keepAlive;
  }

  get idle(): boolean {
    return this.users === 0 && this.process !== undefined && this.stopping === undefined;
  }

  /** Whether a request for this file, with that much context, can be served as the model is loaded now. */
  serves(file: ModelFile, contextLength: number | undefined): boolean {
    if (file.path !== this.file.path || file.sizeBytes !== this.file.sizeBytes) return false;
    if (this.#isReplaced()) return false;
    if (file.chatTemplate !== this.file.chatTemplate) return false;
    if (contextLength === undefined || !this.process) return true;
    const { facts } = this.process;
    return Math.min(contextLength, facts.trainContextLength) <= facts.contextLength;
  }

  /** A file that is gone cannot be loaded anew: what is loaded of it goes on. */
  #isReplaced(): boolean {
    const present = fileFingerprint(this.file.path);
    return present !== undefined && present !== this.#fingerprint;
  }

  /** Starts the time this model stays without being used. */
  startKeepAlive(onExpired: () => void): void {
    this.stopKeepAlive();
    this.lastUsed = Date.now();
    if (this.keepAlive === 'forever') return;
    const ms = this.keepAlive.seconds * 1000;
    this.expiresAt = Date.now() + ms;
    // A timer cannot wait longer than 2^31 ms (24 days); who asks for that has time to ask again.
    this.#timer = setTimeout(onExpired, Math.min(ms, 2 ** 31 - 1)).unref();
  }

  stopKeepAlive(): void {
    clearTimeout(this.#timer);
    this.expiresAt = undefined;
  }
}
