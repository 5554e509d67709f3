import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { createQueryClient } from './api/query-client.js';
import { ErrorBoundary } from './components/error-boundary.js';
import { Toaster } from './components/toaster.js';
import { SealGate } from './features/seal/seal-gate.js';
import { AppRoutes } from './routes/app-routes.js';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary outermost>
        <QueryClientProvider client={createQueryClient()}>
          <BrowserRouter>
            <SealGate>
              <AppRoutes />
            </SealGate>
            <Toaster />
          </BrowserRouter>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
}
