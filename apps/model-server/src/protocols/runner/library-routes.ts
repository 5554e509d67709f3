import type { TokenVerifier } from '@hearth/auth-middleware/token-verifier';
import { copyRequestSchema } from '@hearth/protocol-types/runner/copy-request';
import { deleteRequestSchema } from '@hearth/protocol-types/runner/delete-request';
import { pullRequestSchema } from '@hearth/protocol-types/runner/pull-request';
import { pushRequestSchema } from '@hearth/protocol-types/runner/push-request';
import { type RequestHandler, Router } from 'express';
import { GenerationError } from '../../generation/generation-error.js';
import type { TextGenerator } from '../../generation/text-generator.js';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.js';
import { mayManageModels } from '../../http/may-manage-models.js';
import { parseBody } from '../../http/parse-body.js';
import { onlyMethods } from '../../http/unknown-path.js';
import type { ModelLibrary } from '../../models/model-library.js';
import { parseDigest } from '../../models/store/digest.js';
import { parseCreate } from './parse-create.js';
import { requestedModel } from './requested-model.js';
import { streamProgress } from './stream-progress.js';

export interface LibraryParts {
  readonly library: ModelLibrary;
  readonly generator: TextGenerator;
  readonly verifier?: TokenVerifier;
}

/** What changes the models of this server. With keys in force, all of it needs the right to manage models. */
export function libraryRoutes(parts: LibraryParts): {
  /** Before bodies are parsed. */
  readonly uploads: Router;
  readonly management: Router;
} {
  const mayManage = mayManageModels(parts.verifier);
  return { uploads: uploadRoutes(parts, mayManage), management: managementRoutes(parts, mayManage) };
}

function uploadRoutes({ library }: LibraryParts, mayManage: RequestHandler): Router {
  const router = Router();
  router
    .route('/api/blobs/:digest')
    .all(mayManage)
    .head(async (request, response) => {
      const there = await library.blobs.has(parseDigest(request.params.digest));
      response.status(there ? 200 : 404).end();
    })
    .post(async (request, response) => {
      const digest = parseDigest(request.params.digest);
      if (await library.blobs.has(digest)) {
        request.resume();
        response.status(200).end();
        return;
      }
      try {
        await library.blobs.writeStream(digest, request);
      } catch (error) {
        if (response.closed) {
          throw new GenerationError('cancelled', 'the client closed the connection', { cause: error });
        }
        // The rest of the body is read and dropped: a client that is still sending would not hear the answer.
        request.resume();
        throw error;
      }
      response.status(201).end();
    })
    .all(onlyMethods('HEAD', 'POST'));
  return router;
}

function managementRoutes({ library, generator }: LibraryParts, mayManage: RequestHandler): Router {
  const router = Router();
  router
    .route('/api/pull')
    .post(mayManage, async (request, response) => {
      const body = parseBody(request, pullRequestSchema);
      const name = requestedModel(body);
      await streamProgress(request, response, (options) =>
        library.pull(name, { ...options, insecure: body.insecure === true }),
      );
    })
    .all(onlyMethods('POST'));
  router
    .route('/api/push')
    .post(mayManage, async (request, response) => {
      const body = parseBody(request, pushRequestSchema);
      const name = requestedModel(body);
      await streamProgress(request, response, (options) =>
        library.push(name, { ...options, insecure: body.insecure === true }),
      );
    })
    .all(onlyMethods('POST'));
  router
    .route('/api/create')
    .post(mayManage, async (request, response) => {
      const spec = parseCreate(request);
      await streamProgress(request, response, (options) => library.create(spec, options));
    })
    .all(onlyMethods('POST'));
  router
    .route('/api/copy')
    .post(mayManage, async (request, response) => {
      const { source, destination } = parseBody(request, copyRequestSchema);
      await library.copy(source, destination, abortOnDisconnect(response));
      response.status(200).end();
    })
    .all(onlyMethods('POST'));
  router
    .route('/api/delete')
    .delete(mayManage, async (request, response) => {
      const name = requestedModel(parseBody(request, deleteRequestSchema));
      const entry = await library.catalogue.find(name);
      await library.delete(name);
      // It leaves memory once it is idle; the caller need not wait for the requests of others.
      void generator.unload(entry.name).catch(() => false);
      response.status(200).end();
    })
    .all(onlyMethods('DELETE'));
  return router;
}
