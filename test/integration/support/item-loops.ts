import type { Entity } from './rest-client.js'
import type { createRunsBench } from './runs-support.js'

/** Counts how often it is done to a document in `dc:rights`, then writes the property that `dc:source` names. */
export const ITEM = `
- Context.RestoreDocumentInput: {name: item}
- Document.SetProperty: {xpath: 'dc:rights', value: 'expr:@{Document["dc:rights"] == null ? "" : Document["dc:rights"]}x'}
- Document.SetProperty: {xpath: 'expr:@{Document["dc:source"]}', value: done}
`
export const loop = (target: string, more = '') => `
- Repository.Query: {query: 'expr:SELECT * FROM File WHERE ecm:path STARTSWITH "@{ChainParameters["folder"]}" ORDER BY ecm:name'}
- Context.SetInputAsVar: {name: found}
- Context.RunOperationOnListInNewTx: {id: ${target}, list: found, item: item${more}}
`
export const PARAMS = 'params:\n- folder: {type: string, required: true}\noperations:'
const SEGMENTS = `
- Log: {message: the first segment}
- Document.SetProperty: {xpath: 'dc:rights', value: 'expr:@{Document["dc:rights"] == null ? "" : Document["dc:rights"]}x'}
- RunInNewTransaction: {id: touch}
- Document.SetProperty: {xpath: 'expr:@{Document["dc:source"]}', value: done}
`

/** Chains whose loops do `ITEM` to each file of a folder, and what tests of them share. */
export const createItemLoops = async ({
  deploy,
  make,
  change,
  propertiesOf,
  start,
}: Awaited<ReturnType<typeof createRunsBench>>) => {
  await deploy('touch', '- Log: {message: touched}')
  await deploy('item', ITEM)
  await deploy('pass', `${PARAMS}${loop('item', ', rollbackGlobalOnError: false')}`)
  await deploy('stop', `${PARAMS}${loop('item')}`)
  await deploy('segments', SEGMENTS)
  await deploy('uncaught', `onError:\n- {chain: touch, filter: '1 == 2'}\n${PARAMS}${loop('item')}`)
  await deploy('nested', `${PARAMS}\n- Log: {message: nested}\n- stop`)

  let count = 0
  /** A folder of files, those at the given positions being refused until they are corrected. */
  const filesWith = async (bad: readonly number[], size = 5): Promise<{ path: string; files: Entity[] }> => {
    const folder = await make('/', `runs-${count++}`, 'Folder')
    const files: Entity[] = []
    for (let index = 0; index < size; index++) {
      const properties = { 'dc:source': bad.includes(index) ? 'no:such' : 'dc:description' }
      files.push(await make(folder.path, `f${index}`, 'File', properties))
    }
    return { path: folder.path, files }
  }

  const correct = (file: Entity) => change(file.uid, { 'dc:source': 'dc:description' })

  /** How often each was done, and whether it is. */
  const outcomesOf = (files: readonly Entity[]): Promise<string[]> =>
    Promise.all(
      files.map(async ({ uid }) => {
        const properties = await propertiesOf(uid)
        return `${properties['dc:rights'] ?? ''}${properties['dc:description'] === 'done' ? '+' : '-'}`
      }),
    )

  const startOn = async (chain: string, folder: string, options = {}) =>
    start(chain, { ...options, json: { params: { folder } } })

  return { filesWith, correct, outcomesOf, startOn }
}
