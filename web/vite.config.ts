import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Nothing may be inlined: the page's Content-Security-Policy has no exception
// for it, and every file gets a name that changes with what is in it.
export default defineConfig({
  plugins: [react()],
  build: {
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
    target: 'es2022',
  },
});
