const plus = (amount: number): string => `
- Document.SetProperty:
    xpath: common:size
    value: 'expr:Document["common:size"] + ${amount}'
`

/** Makes a document that shows that its transaction has committed, and goes on with its parent. */
const leave = (name: string): string => `
- Context.SetInputAsVar: {name: parent}
- Document.Create: {type: File, name: ${name}}
- Context.RestoreDocumentInput: {name: parent}
`

const KEY = 'params:\n- key: {type: string, required: true}\noperations:'

/** Counts, then writes the property that `dc:source` names: there may be none of that name. */
const COUNT = `${plus(1)}
- Document.SetProperty:
    xpath: 'expr:@{Document["dc:source"]}'
    value: done
`

const ON_ERROR_DOCUMENT = `
- Repository.GetDocument: {value: 'expr:/errors/@{ChainParameters["key"]}'}
${plus(1)}`

const failing = (rollback: boolean): string => `
onError:
- {chain: storm-repair, rollback: ${rollback}}
${KEY}
${ON_ERROR_DOCUMENT}
- RunInNewTransaction: {id: storm-leaf}
${plus(10)}
- Document.SetLifeCycle: {value: noSuchTransition}
`

/** Every one commits on its way; what each adds to `common:size` says how often each of its parts was done. */
export const CHAINS: readonly (readonly [id: string, yaml: string])[] = [
  ['storm-leaf', `${plus(1)}${leave('leaf')}`],
  ['storm-middle', `${plus(10)}\n- RunInNewTransaction: {id: storm-leaf}\n${plus(100)}`],
  [
    'storm-composite',
    `${KEY}
- Repository.GetDocument: {value: /composites}
- Document.Create:
    type: Folder
    name: 'expr:@{ChainParameters["key"]}'
    properties: {'common:size': 0}
- storm-middle
- RunInNewTransaction: {id: storm-middle}
- storm-middle
`,
  ],
  ['storm-item', `\n- Context.RestoreDocumentInput: {name: item}\n${plus(1)}${leave('mark')}`],
  [
    'storm-inner',
    `
- Context.RestoreDocumentInput: {name: box}
- Repository.Query:
    query: 'expr:SELECT * FROM Folder WHERE ecm:path STARTSWITH "@{Document.path}" ORDER BY ecm:name'
- Context.SetInputAsVar: {name: found}
- Context.RunOperationOnListInNewTx: {id: storm-item, list: found, item: item}
- Context.RestoreDocumentInput: {name: box}
${plus(1)}`,
  ],
  [
    'storm-nested',
    `
- Repository.Query: {query: "SELECT * FROM Folder WHERE ecm:path STARTSWITH '/nested' AND ecm:name LIKE 'box-%'"}
- Context.SetInputAsVar: {name: boxes}
- Context.RunOperationOnListInNewTx: {id: storm-inner, list: boxes, item: box}
- Repository.GetDocument: {value: /nested}
${plus(1)}`,
  ],
  ['storm-repair', `${plus(100)}${leave('caught')}`],
  ['storm-undone', failing(true)],
  ['storm-kept', failing(false)],
  ['storm-leaf-fails', `${plus(1)}${leave('leaf')}- Document.SetLifeCycle: {value: noSuchTransition}\n`],
  [
    'storm-called',
    `
onError:
- {chain: storm-repair}
${KEY}
${ON_ERROR_DOCUMENT}
- RunInNewTransaction: {id: storm-leaf-fails, rollbackGlobalOnError: true}
${plus(10)}`,
  ],
  ['storm-count', COUNT],
  ['storm-passed', `\n- Context.RestoreDocumentInput: {name: item}\n${COUNT}`],
  [
    'storm-pass',
    `
- Repository.Query: {query: "SELECT * FROM File WHERE ecm:path STARTSWITH '/passed' ORDER BY ecm:name"}
- Context.SetInputAsVar: {name: found}
- Context.RunOperationOnListInNewTx: {id: storm-passed, list: found, item: item, rollbackGlobalOnError: false}
`,
  ],
]
