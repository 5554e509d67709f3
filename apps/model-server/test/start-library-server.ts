import type { TokenVerifier } from '@hearth/auth-middleware/token-verifier';
import { listen } from '@hearth/service-kit/listen';
import type { TextGenerator } from '../src/generation/text-generator.js';
import type { ModelLibrary } from '../src/models/model-library.js';
import type { ModelLibraryOptions } from '../src/models/open-model-library.js';
import { createTestApp } from './create-test-app.js';
import { openTestLibrary } from './open-test-library.js';

export interface LibraryServer {
  readonly url: string;
  readonly library: ModelLibrary;
  close(): Promise<void>;
}

/** The whole app over a real library on a folder of the test's own, listening on a free port. */
export async function startLibraryServer(
  storeFolder: string,
  options: {
    readonly library?: Partial<ModelLibraryOptions>;
    readonly verifier?: TokenVerifier;
    readonly generator?: TextGenerator;
  } = {},
): Promise<LibraryServer> {
  const library = openTestLibrary(storeFolder, options.library);
  const { app } = createTestApp({
    library,
    catalogue: library.catalogue,
    ...(options.verifier ? { verifier: options.verifier } : {}),
    ...(options.generator ? { generator: options.generator } : {}),
  });
  const { server, url } = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    url,
    library,
    close: async () => {
      library.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
