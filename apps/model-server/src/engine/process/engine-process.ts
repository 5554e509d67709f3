import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from '@hearth/service-kit/logger';
import { GenerationError } from '../../generation/generation-error.js';
import type { GenerationEvent } from '../../generation/generation-event.js';
import type { ChildMessage, LoadOffer, LoadPlan, LoopStats, ModelFacts } from '../ipc/child-message.js';
import type { EngineCallKind, EngineCalls } from '../ipc/engine-calls.js';
import type { GenerationTaskRequest, ModelStart, ParentMessage } from '../ipc/parent-message.js';
import { fromWireError } from '../ipc/wire-error.js';
import type { ThreadBudget, ThreadUser } from '../threads/thread-budget.js';
import { EventStream } from './event-stream.js';
import { GpuFailure } from './gpu-failure.js';

export interface EngineProcessOptions {
  readonly entry: string;
  readonly name: string;
  readonly model: ModelStart;
  readonly threads: ThreadBudget;
  readonly logger: Logger;
  /**
   * Weighs the plan against the memory there is and says how to load; refuses by throwing. Whoever has made room on
   * the GPU asks for another plan.
   */
  readonly choose: (plan: LoadPlan) => Promise<LoadOffer | 'plan-again'>;
  readonly onExit: () => void;
  /** The server stops: a load is not waited for. */
  readonly signal: AbortSignal;
}

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const faultSignals = new Set(['SIGABRT', 'SIGSEGV', 'SIGILL', 'SIGBUS', 'SIGFPE', 'SIGTRAP']);
const keptErrorOutput = 4096;
const keptComplaints = 8;

/** One engine process with one model in it: started, fed, watched and ended. */
export class EngineProcess implements ThreadUser {
  readonly #options: EngineProcessOptions;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #streams = new Map<number, EventStream>();
  readonly #calls = new Map<number, PendingCall>();
  #nextId = 1;
  #facts: ModelFacts | undefined;
  #loading: { resolve(facts: ModelFacts): void; reject(error: unknown): void } | undefined;
  #stopping = false;
  #dead = false;
  #errorOutput = '';
  /** What llama.cpp complained about last: the reason, if the process dies. */
  readonly #complaints: string[] = [];
  stats: LoopStats | undefined;

  private constructor(options: EngineProcessOptions) {
    this.#options = options;
    this.#child = fork(options.entry, [], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.on('message', (message) => this.#receive(message as ChildMessage));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errorOutput = (this.#errorOutput + chunk.toString()).slice(-keptErrorOutput);
    });
    // A send that fails because the child has just gone is told by its exit.
    this.#child.on('error', (error) => options.logger.warn({ err: error }, 'engine process error'));
    this.#exited = once(this.#child, 'exit').then(([code, signal]) => this.#onExit(code, signal));
  }

  /** Starts a process and loads the model into it. Rejects with the reason, and leaves no process behind. */
  static async start(options: EngineProcessOptions): Promise<EngineProcess> {
    const engine = new EngineProcess(options);
    const stop = (): void => void engine.stop();
    options.signal.addEventListener('abort', stop, { once: true });
    try {
      await engine.#load();
      return engine;
    } catch (error) {
      await engine.stop();
      throw error;
    } finally {
      options.signal.removeEventListener('abort', stop);
    }
  }

  get name(): string {
    return this.#options.name;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get facts(): ModelFacts {
    if (!this.#facts) throw new GenerationError('internal', 'the model is not loaded');
    return this.#facts;
  }

  grantThreads(count: number): void {
    this.#send({ type: 'threads', count });
  }

  generate(request: GenerationTaskRequest, signal: AbortSignal): AsyncIterableIterator<GenerationEvent> {
    const id = this.#nextId++;
    const leave = (): void => {
      if (this.#streams.has(id)) this.#send({ type: 'cancel', id });
      this.#forget(id);
    };
    const onAbort = (): void => {
      leave();
      stream.fail(new GenerationError('cancelled', 'the request was cancelled'));
    };
    const stream = new EventStream({
      onRead: (count) => this.#send({ type: 'read', id, count }),
      onLeave: leave,
      onEnd: () => signal.removeEventListener('abort', onAbort),
    });
    if (this.#dead) {
      stream.fail(this.#crashed());
      return stream;
    }
    this.#streams.set(id, stream);
    this.#options.threads.enter(this);
    this.#send({ type: 'generate', id, request });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    return stream;
  }

  async call<Kind extends EngineCallKind>(
    kind: Kind,
    input: EngineCalls[Kind]['input'],
    signal: AbortSignal,
  ): Promise<EngineCalls[Kind]['output']> {
    if (this.#dead) throw this.#crashed();
    const id = this.#nextId++;
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise<EngineCalls[Kind]['output']>((resolve, reject) => {
        onAbort = () => {
          this.#send({ type: 'cancel', id });
          reject(new GenerationError('cancelled', 'the request was cancelled'));
        };
        this.#calls.set(id, { resolve: (value) => resolve(value as EngineCalls[Kind]['output']), reject });
        this.#options.threads.enter(this);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
        else this.#send({ type: 'call', id, kind, input });
      });
    } finally {
      if (onAbort) signal.removeEventListener('abort', onAbort);
      this.#forget(id);
    }
  }

  /** Ends the process and waits until its memory is given back. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (!this.#dead) this.#child.kill('SIGKILL');
    await this.#exited;
  }

  async #load(): Promise<void> {
    this.#facts = await new Promise<ModelFacts>((resolve, reject) => {
      this.#loading = { resolve, reject };
    });
    this.#loading = undefined;
  }

  #receive(message: ChildMessage): void {
    switch (message.type) {
      case 'ready':
        this.#askForPlan();
        break;
      case 'planned':
        this.#options.choose(message.plan).then(
          (offer) => (offer === 'plan-again' ? this.#askForPlan() : this.#send({ type: 'load', offer })),
          (error: unknown) => this.#loading?.reject(error),
        );
        break;
      case 'loaded':
        this.#loading?.resolve(message.facts);
        break;
      case 'load-failed':
        this.#loading?.reject(fromWireError(message.error));
        break;
      case 'events':
        for (const [id, event] of message.events) this.#deliver(id, event);
        break;
      case 'failed':
        this.#streams.get(message.id)?.fail(fromWireError(message.error));
        this.#calls.get(message.id)?.reject(fromWireError(message.error));
        this.#forget(message.id);
        break;
      case 'reply':
        this.#calls.get(message.id)?.resolve(message.value);
        break;
      case 'stats':
        this.stats = message.stats;
        break;
      case 'log':
        if (message.level === 'error') this.#complain(message.message);
        this.#options.logger.debug({ model: this.#options.name, level: message.level }, message.message);
        break;
      default:
        message satisfies never;
    }
  }

  #askForPlan(): void {
    this.#send({ type: 'plan', model: this.#options.model });
  }

  #complain(message: string): void {
    this.#complaints.push(message);
    if (this.#complaints.length > keptComplaints) this.#complaints.shift();
  }

  #deliver(id: number, event: GenerationEvent): void {
    this.#streams.get(id)?.push(event);
    if (event.type === 'finish') this.#forget(id);
  }

  #forget(id: number): void {
    this.#streams.delete(id);
    this.#calls.delete(id);
    if (this.#streams.size === 0 && this.#calls.size === 0) this.#options.threads.leave(this);
  }

  #send(message: ParentMessage): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #onExit(code: number | null, signal: NodeJS.Signals | null): void {
    this.#dead = true;
    const { logger, name, onExit, threads } = this.#options;
    if (!this.#stopping) {
      logger.error(
        { model: name, code, signal, pid: this.pid, complaints: this.#complaints, stderr: this.#errorOutput },
        'engine process died',
      );
    }
    threads.leave(this);
    const loading = this.#loading;
    this.#loading = undefined;
    loading?.reject(this.#deathDuringLoad(signal));
    for (const stream of this.#streams.values()) stream.fail(this.#crashed());
    for (const call of this.#calls.values()) call.reject(this.#crashed());
    this.#streams.clear();
    this.#calls.clear();
    onExit();
  }

  #deathDuringLoad(signal: NodeJS.Signals | null): Error {
    const gpuFailure = this.#options.model.gpu === 'off' ? undefined : GpuFailure.among(this.#complaints);
    if (gpuFailure) return gpuFailure;
    if (signal === null || !faultSignals.has(signal)) return this.#crashed();
    return new GenerationError('model-unloadable', 'the model cannot be loaded: its file crashed the engine');
  }

  #crashed(): GenerationError {
    if (this.#stopping) return new GenerationError('stopping', 'the model is being unloaded');
    return new GenerationError(
      'engine-crashed',
      `the engine of model "${this.#options.name}" stopped working`,
      {
        retryAfterSeconds: 1,
      },
    );
  }
}
