import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'node', pool: 'threads', testTimeout: 120_000 } });
