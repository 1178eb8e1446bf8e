import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The page of a recording: one script and one style sheet, which single.mjs
// makes one file of. A plain script, for a page out of a file can load no
// modules.
export default defineConfig({
  plugins: [react()],
  publicDir: false,
  build: {
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    sourcemap: false,
    target: 'es2022',
    rolldownOptions: {
      input: 'src/recording.tsx',
      // Of the helper that would load modules, of which there are none.
      transform: { define: { 'import.meta': '({})' } },
      output: { format: 'iife', codeSplitting: false, entryFileNames: 'recording.js', assetFileNames: 'recording[extname]' },
    },
  },
});
