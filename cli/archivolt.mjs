#!/usr/bin/env node
// Runs the command line from its sources, so that it works right after `npm ci`, without a build.
import { fileURLToPath } from 'node:url'
import { register } from 'tsx/esm/api'

// Else tsx would read the tsconfig.json of the folder in which the command is called.
register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) })
await import('./main.ts')
