import { GenerationError } from '../../generation/generation-error.js';
import type { ChildMessage } from '../ipc/child-message.js';
import type { EngineCallKind, EngineCalls } from '../ipc/engine-calls.js';
import type { CallMessage, GenerationTaskRequest, ParentMessage } from '../ipc/parent-message.js';
import { toWireError } from '../ipc/wire-error.js';
import { StepThreads } from '../threads/step-threads.js';
import { Embedder } from './embedder.js';
import { EventOutbox } from './event-outbox.js';
import { GenerationLoop } from './generation-loop.js';
import { GenerationTask } from './generation-task.js';
import { GrammarCache } from './grammar-cache.js';
import { LogprobTokenSource } from './logprob-token-source.js';
import type { LoadedParts } from './model-loader.js';
import { NativeTokenSource } from './native-token-source.js';
import { OutputPipeline } from './output-pipeline.js';
import { PromptBuilder } from './prompt-builder.js';
import { Slot } from './slot.js';
import type { TokenSource } from './token-source.js';
import { Vocabulary } from './vocabulary.js';

const statsEveryMs = 1000;

/** A loaded model at work: takes the server's messages and answers them. */
export class ModelWorker {
  readonly #parts: LoadedParts;
  readonly #send: (message: ChildMessage) => void;
  readonly #vocabulary: Vocabulary;
  readonly #prompts: PromptBuilder;
  readonly #outbox: EventOutbox;
  readonly #threads: StepThreads;
  readonly #loop: GenerationLoop;
  readonly #embedder: Embedder;
  readonly #grammars: GrammarCache;
  /** Requests that have come but are not in the loop yet; one that is cancelled before then never gets there. */
  readonly #preparing = new Set<number>();
  #intake: Promise<void> = Promise.resolve();
  #sentSteps = 0;
  readonly #calls = new Map<number, AbortController>();

  constructor(parts: LoadedParts, send: (message: ChildMessage) => void) {
    const { model, context, llama, facts } = parts;
    this.#parts = parts;
    this.#send = send;
    this.#vocabulary = new Vocabulary(model);
    this.#prompts = new PromptBuilder(parts, this.#vocabulary);
    this.#grammars = new GrammarCache(llama, model);
    this.#outbox = new EventOutbox(send);
    this.#threads = new StepThreads(context.idealThreads);
    this.#embedder = new Embedder({
      model,
      vocabulary: this.#vocabulary,
      contextLength: facts.contextLength,
      threads: context.idealThreads,
    });
    this.#loop = new GenerationLoop({
      slots: Array.from(
        { length: context.totalSequences },
        (_, index) => new Slot(index, context.getSequence()),
      ),
      batchSize: parts.batchSize,
      unreadReplyMs: parts.unreadReplyMs,
      outbox: this.#outbox,
      threads: this.#threads,
      createSource: (slot, task) => this.#createSource(slot, task),
      setThreads: (count) => {
        llama.maxThreads = count;
      },
    });
    setInterval(() => this.#sendStats(), statsEveryMs);
  }

  #sendStats(): void {
    const { totals } = this.#loop;
    if (totals.steps === this.#sentSteps) return;
    this.#sentSteps = totals.steps;
    this.#send({ type: 'stats', stats: { ...totals } });
  }

  handle(message: ParentMessage): void {
    switch (message.type) {
      case 'generate':
        this.#preparing.add(message.id);
        // One after the other, so that nobody overtakes while a grammar is being parsed.
        this.#intake = this.#intake.then(() => this.#generate(message.id, message.request));
        break;
      case 'cancel':
        this.#preparing.delete(message.id);
        this.#loop.cancel(message.id);
        this.#calls.get(message.id)?.abort();
        break;
      case 'read':
        this.#loop.markRead(message.id, message.count);
        break;
      case 'threads':
        this.#threads.grant(message.count);
        break;
      case 'call':
        void this.#answer(message);
        break;
    }
  }

  async #generate(id: number, request: GenerationTaskRequest): Promise<void> {
    if (!this.#preparing.has(id)) return;
    try {
      const seed = request.sampling.seed;
      const sampling = { ...request.sampling, ...(seed === undefined ? {} : { seed: seed >>> 0 }) };
      const prepared = await this.#prompts.prepare(request);
      const grammar = prepared.grammar && (await this.#grammars.start(prepared.grammar.gbnf));
      if (!this.#preparing.delete(id)) return;
      this.#loop.add(
        new GenerationTask({
          id,
          request: { ...request, sampling },
          prompt: prepared.tokens,
          pipeline: new OutputPipeline(prepared.parser, request.stop),
          vocabulary: this.#vocabulary,
          contextLength: this.#parts.facts.contextLength,
          grammar,
          grammarAfterThought: prepared.grammar?.startsAfter === 'thinking',
          thoughtEnd: prepared.thoughtEnd,
          emit: (event) => this.#outbox.push(id, event),
        }),
      );
    } catch (error) {
      this.#outbox.fail(id, toWireError(error));
    }
  }

  #createSource(slot: Slot, task: GenerationTask): TokenSource {
    const { sampling, topLogprobs } = task.request;
    const options = { sequence: slot.sequence, priority: slot.priority, sampling, output: task.output };
    // The binding leaves out a bias on a token that ends the reply, so such a request is sampled here, too.
    const biasesEnd = Object.keys(sampling.logitBias).some((token) => this.#vocabulary.isEnd(Number(token)));
    if ((topLogprobs !== undefined || biasesEnd) && !task.isConstrained) {
      return new LogprobTokenSource({ ...options, topLogprobs: topLogprobs ?? 0 });
    }
    // Without a seed the binding would take the time in whole seconds, the same for all requests of a second.
    const seed = sampling.seed ?? Math.floor(Math.random() * 2 ** 32);
    return new NativeTokenSource({
      ...options,
      sampling: { ...sampling, seed },
      grammar: task.grammar,
      topLogprobs,
    });
  }

  async #answer(message: CallMessage): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(message.id, controller);
    try {
      const value = await this.#call(message, controller.signal);
      this.#send({ type: 'reply', id: message.id, value });
    } catch (error) {
      this.#outbox.fail(message.id, toWireError(error));
    } finally {
      this.#calls.delete(message.id);
    }
  }

  #call(message: CallMessage, signal: AbortSignal): Promise<EngineCalls[EngineCallKind]['output']> {
    const answers: {
      [Kind in EngineCallKind]: (input: EngineCalls[Kind]['input']) => Promise<EngineCalls[Kind]['output']>;
    } = {
      'count-tokens': (input) => this.#prompts.count(input),
      'render-prompt': (input) => this.#prompts.render(input),
      tokenize: async ({ text }) => this.#vocabulary.tokenize(text, { parseSpecial: true }),
      detokenize: async ({ tokens }) => this.#vocabulary.detokenizeAll(this.#vocabulary.checked(tokens)),
      embed: (input) => this.#embedder.embed(input, signal),
      rerank: (input) => this.#embedder.rerank(input, signal),
    };
    const answer = answers[message.kind] as (
      input: CallMessage['input'],
    ) => Promise<EngineCalls[EngineCallKind]['output']>;
    if (!answer) throw new GenerationError('internal', `the engine knows no call ${message.kind}`);
    return answer(message.input);
  }
}
