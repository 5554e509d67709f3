import { Router } from 'express';
import type { TextGenerator } from '../../generation/text-generator.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';

export interface MessagesParts {
  readonly catalogue: ModelCatalogue;
  readonly generator: TextGenerator;
}

/** The messages family, below `/alt/v1`, and its main path below `/v1` too. */
export function messagesRoutes(_parts: MessagesParts): Router {
  return Router();
}
