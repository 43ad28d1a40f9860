/** Runs vitest on the Node that runs the servers, which is a fifth quicker than the versions before it. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chooseNode } from '../stack/services/index.js'

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

const { command, version } = chooseNode()
process.stdout.write(`tests on Node ${version}\n`)
const tests = spawn(command, [VITEST, 'run', ...process.argv.slice(2)], { stdio: 'inherit' })
// The terminal sends its signals to both; this one waits for the servers of the tests to be stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
tests.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
