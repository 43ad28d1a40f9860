import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandLineOf, createTools, createWorkbench } from '../../../core/files/conversions/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { openWorkshop, type Workshop } from '../support/conversions-support.js'

/** Without a sandbox: what a program is given is then all that keeps it from what is stored. */
const commands = { bwrap: '/no/such/program', unshare: '/no/such/program' }

const LIST = { commandLine: 'find', parameterString: '. -type f' }
const EMPTY = { commandLine: 'truncate', parameterString: '-s 0 #{sourceFilePath}' }

/** As a converter: it works in a folder of the step, in that of the conversion. */
const converting = {
  list: { commandLine: 'find', parameterString: '.. -type f -fprint #{targetFilePath}' },
  empty: { commandLine: 'truncate', parameterString: '-s 0 #{sourceFilePath} | tee #{targetFilePath}' },
}
const converters = Object.fromEntries(
  Object.keys(converting).map((name) => [
    name,
    { engine: 'command', sourceMimeTypes: ['text/plain'], parameters: { CommandLineName: name } },
  ]),
)

let workshop: Workshop
beforeAll(async () => {
  const text = JSON.stringify({ commands: converting, converters })
  workshop = await openWorkshop({ commands, contributed: [{ file: 'folders.yaml', text }] })
})
afterAll(() => workshop.close())

/** Others are stored beside them. */
const storedFiles = async (): Promise<BlobValue[]> => {
  const names = ['first', 'second', 'third']
  const blobs = await Promise.all(names.map((name) => workshop.blob(`${name}.txt`, name)))
  return blobs.slice(0, 2)
}

/** Not written again: that would repair them. */
const textsOf = (blobs: readonly BlobValue[]): Promise<string[]> =>
  Promise.all(blobs.map(async (blob) => String(await workshop.read(blob))))

const onBench = (entry: typeof LIST, blobs: readonly BlobValue[]): Promise<string> => {
  const bench = createWorkbench({
    store: workshop.store,
    tools: createTools({ path: process.env.PATH ?? '', commands }),
    tempFolder: workshop.tempFolder,
    timeoutMs: 60_000,
    allowsUnconfined: false,
    commandOf: (name) => commandLineOf(name, entry, true),
  })
  return bench({ blobs }, ({ paths: [path = ''], runCommand }) =>
    runCommand('tried', { own: { sourceFilePath: path }, given: {} }),
  )
}

const linesOf = (text: string): string[] => text.trim().split('\n').sort()

test('a program on a bench finds copies of its files in its folder, and nothing else', async () => {
  expect(linesOf(await onBench(LIST, await storedFiles()))).toEqual(['./source-0', './source-1'])
})

test('a program on a bench that changes its file leaves what is stored as it was', async () => {
  const blobs = await storedFiles()
  await onBench(EMPTY, blobs)
  expect(await textsOf(blobs)).toEqual(['first', 'second'])
})

test('a program of a conversion finds a copy of its file in its folder, and nothing else', async () => {
  const [source] = await storedFiles()
  const list = await workshop.conversions.convert({ source: source!, converter: 'list' })
  // The other one is what it writes.
  expect(linesOf(String(await workshop.read(list)))).toEqual(['../0/input', '../0/out/result'])
})

test('a program of a conversion that changes its file leaves what is stored as it was', async () => {
  const blobs = await storedFiles()
  const empty = await workshop.conversions.convert({ source: blobs[0]!, converter: 'empty' })
  expect(empty.length).toBe(0)
  expect(await textsOf(blobs)).toEqual(['first', 'second'])
})
