import type { TokenVerifier } from '@hearth/auth-middleware/token-verifier';
import type { GenerationHandlerParts } from '../../http/generation-handler.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';
import type { ModelLibrary } from '../../models/model-library.js';

/** What the family's routes need of the server. */
export interface CompletionsParts extends GenerationHandlerParts {
  readonly catalogue: ModelCatalogue;
  /** Left out where models are only served and not managed. */
  readonly library?: ModelLibrary;
  readonly verifier?: TokenVerifier;
}
