import { type Llama, type LlamaGrammar, LlamaGrammarEvaluationState, type LlamaModel } from 'node-llama-cpp';
import { GenerationError } from '../../generation/generation-error.js';

/** Clients send the same schema with every request: parsed grammars are kept. */
const keptGrammars = 32;

/** Turns grammar text into states that hold a sampler to it. */
export class GrammarCache {
  readonly #llama: Llama;
  readonly #model: LlamaModel;
  readonly #grammars = new Map<string, LlamaGrammar>();

  constructor(llama: Llama, model: LlamaModel) {
    this.#llama = llama;
    this.#model = model;
  }

  async start(gbnf: string): Promise<LlamaGrammarEvaluationState> {
    const grammar = this.#grammars.get(gbnf) ?? (await this.#parse(gbnf));
    // Deleted and set again, it is the youngest in the map's order.
    this.#grammars.delete(gbnf);
    this.#grammars.set(gbnf, grammar);
    const [oldest] = this.#grammars.keys();
    if (this.#grammars.size > keptGrammars && oldest !== undefined) this.#grammars.delete(oldest);
    return new LlamaGrammarEvaluationState({ model: this.#model, grammar });
  }

  async #parse(gbnf: string): Promise<LlamaGrammar> {
    try {
      return await this.#llama.createGrammar({ grammar: gbnf });
    } catch (error) {
      throw new GenerationError('invalid-request', 'the requested output format cannot be enforced', {
        cause: error,
      });
    }
  }
}
