import { expect, test } from 'vitest'
import { reported } from './check.fixture.js'

/** Values that name something of the repository, on the operations and the configuration as they are delivered. */

test.each([
  'Document.Create: {type: File, name: a, properties: {"dc:title": x, "dc:issued": "2024-05-31", "dc:subjects": "a,b"}}',
  'Document.Update: {properties: {"dc:issued": "expr:CurrentDate", "file:content": {}, "dc:subjects": [a, b]}}',
  'Document.SetProperty: {xpath: "expr:x", value: soon}',
  'DocumentMultivaluedProperty.addItem: {xpath: "dc:subjects", value: x}',
  'Document.AddPermission: {username: x, permission: Write}',
  'Document.Filter: {types: "File, Note", lifecycle: project, facet: Folderish, class: regular document}',
  'Repository.Query: {query: "SELECT ecm:uuid FROM Document, File WHERE dc:title = ? AND ecm:fulltext = :a AND ecm:tag = \'x\' AND ecm:acl/*1/principal = \'y\' ORDER BY dc:created", sortBy: "dc:title,ecm:name", sortOrder: asc}',
  'Directory.Projection: {directoryName: nature, columnName: id, variableName: x}',
  'Render.Document: {template: "Dear <#if a>you</#if>", filename: x}',
])('%s needs no warning', async (step) => {
  expect(await reported(`- ${step}\n`)).toEqual([])
})

test.each([
  ['Document.Create: {type: Fil}', 'there is no document type "Fil", did you mean "File"?'],
  ['Document.GetParent: {type: Folde}', 'there is no document type "Folde", did you mean "Folder"?'],
  [
    'Document.Create: {type: Folder, properties: {"note:note": x}}',
    'documents of type Folder have no property "note:note"; it is of the schema note',
  ],
  [
    'Document.SetProperty: {xpath: "dc:titel"}',
    'no schema has the property "dc:titel", did you mean "dc:title"?',
  ],
  [
    'Document.SetProperty: {xpath: "dc:issued", value: soon}',
    '"dc:issued" holds a date such as 2024-05-31 or 2024-05-31T12:00:00Z, not "soon"',
  ],
  [
    'Document.SetProperty: {xpath: "dc:subjects"}',
    '"dc:subjects" does not hold a single value; Document.Update sets lists and maps',
  ],
  [
    'DocumentMultivaluedProperty.addItem: {xpath: "dc:title", value: x}',
    '"dc:title" does not hold a list of single values',
  ],
  ['Blob.RemoveFromDocument: {xpath: "dc:title"}', '"dc:title" holds no file'],
  [
    'Document.Update: {properties: {"dc:titel": x}}',
    'no schema has the property "dc:titel", did you mean "dc:title"?',
  ],
  [
    'Document.Update: {properties: "dc:titel=x"}',
    'no schema has the property "dc:titel", did you mean "dc:title"?',
  ],
  [
    'Document.Update: {properties: {"dc:issued": tomorrow}}',
    '"dc:issued" holds a date such as 2024-05-31 or 2024-05-31T12:00:00Z, not "tomorrow"',
  ],
  [
    'Document.AddPermission: {username: x, permission: Reed}',
    'there is no permission "Reed", did you mean "Read"?',
  ],
  ['Document.AddACE: {user: x, permission: write}', 'there is no permission "write", did you mean "Write"?'],
  [
    'Document.SetLifeCycle: {value: approv}',
    'there is no life-cycle transition "approv", did you mean "approve"?',
  ],
  ['Document.AddFacet: {facet: Foldrish}', 'there is no facet "Foldrish", did you mean "Folderish"?'],
  [
    'Directory.Projection: {directoryName: natur, columnName: id, variableName: x}',
    'there is no directory or vocabulary "natur", did you mean "nature"?',
  ],
  [
    'Repository.PageProvider: {providerName: default_serch}',
    'there is no page provider "default_serch", did you mean "default_search"?',
  ],
  [
    'Repository.PageProvider: {query: "SELECT * FROM File", sortBy: "dc:titl"}',
    'no schema has the property "dc:titl", did you mean "dc:title"?',
  ],
  ['Blob.RunConverter: {converter: any2pd}', 'there is no converter "any2pd", did you mean "any2pdf"?'],
  ['Document.CheckIn: {version: majr}', '"majr" is none of minor, major, did you mean "major"?'],
  ['Repository.Query: {query: "SELECT * FROM Fil"}', 'there is no document type "Fil", did you mean "File"?'],
  [
    'Repository.Query: {query: "SELECT * FROM File WHERE dc:titel = \'x\'"}',
    'no schema has the property "dc:titel", did you mean "dc:title"?',
  ],
  [
    'Repository.Query: {query: "SELECT * FROM File WHERE ecm:primaryTyp = \'x\'"}',
    'queries know no property "ecm:primaryTyp", did you mean "ecm:primaryType"?',
  ],
  [
    'Repository.Query: {query: "SELECT * FROM Document WHERE ecm:mixinType = \'Foldrish\'"}',
    'there is no facet "Foldrish", did you mean "Folderish"?',
  ],
  [
    'RunOperation: {id: Document.Create, parameters: {type: Fil}}',
    'there is no document type "Fil", did you mean "File"?',
  ],
  [
    'Bulk.RunAction: {action: setProperties, query: "SELECT * FROM File", parameters: {"dc:titel": x}}',
    'no schema has the property "dc:titel", did you mean "dc:title"?',
  ],
  [
    'Bulk.RunAction: {action: automation, query: "SELECT * FROM File", parameters: {operationId: Document.SetLifeCycle, parameters: {value: aprove}}}',
    'there is no life-cycle transition "aprove", did you mean "approve"?',
  ],
])('%s is warned of', async (step, message) => {
  const [line, ...more] = await reported(`- ${step}\n`)
  expect([line?.replace(/^1:\d+ warning: /, ''), ...more]).toEqual([message])
})

test('a mistake is reported at its place', async () => {
  const text = `- Document.Update:
    properties:
      dc:titel: x
      dc:issued: tomorrow
- Repository.Query: {query: "SELECT * FROM File WHERE dc:titel = ?"}
`
  expect(await reported(text)).toEqual([
    '3:7 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
    '4:18 warning: "dc:issued" holds a date such as 2024-05-31 or 2024-05-31T12:00:00Z, not "tomorrow"',
    '5:55 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
  ])
})

test('all mistakes are reported at once, by place: of form, names and what is doubtful', async () => {
  const text = `params:
- who: {tpye: string}
operations:
- Document.Creat: {type: File}
- Document.Create:
    type: Fil
  name: x
- Document.SetProperty: {xpath: "dc:titel", vaule: x}
- Log: [a]
- RunOperation: {id: Document.Svae}
`
  expect(await reported(text)).toEqual([
    '2:9 unknown key "tpye", did you mean "type"?',
    '4:3 unknown operation "Document.Creat", did you mean "Document.Create"?',
    '7:3 an operation has one key, found "Document.Create" and "name"; is "name" indented too little?',
    '8:33 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
    '8:45 unknown parameter "vaule" of Document.SetProperty, did you mean "value"?',
    expect.stringMatching(/^9:8 expected a map with the parameters of Log/),
    '10:22 unknown operation "Document.Svae", did you mean "Document.Save"?',
  ])
})
