import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The vault serves what is built here: dist/console beside its own code, so that one folder holds a whole release.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // Nothing may be inlined: the content security policy takes only files of our own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
});
