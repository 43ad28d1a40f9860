import { expect, test } from 'vitest'
import { routesPoint } from '../model/index.js'
import { readExport } from './index.js'

const document = (type: string, path: string, schemas: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<document repository="default" id="1"><system><type>${type}</type><path>${path}</path></system>${schemas}</document>`

const node = (id: string, properties: string, more = ''): [string, string] => [
  `review/${id}/document.xml`,
  document(
    'RouteNode',
    `models/review/${id}`,
    `<schema xmlns:rnode="http://www.nuxeo.org/ecm/schemas/rnode/" name="route_node">
<rnode:nodeId><![CDATA[${id}]]></rnode:nodeId>${properties}</schema>${more}`,
  ),
]

const ROUTE: [string, string] = [
  'review/document.xml',
  document(
    'DocumentRoute',
    'models/review',
    `<schema xmlns:dc="http://x/dc" name="dublincore"><dc:title>wf.review</dc:title></schema>
<schema xmlns:docri="http://x/docri" name="document_route_instance">
<docri:variablesFacet>facet-var_review</docri:variablesFacet></schema>
<schema xmlns:var_review="http://x/v" name="var_review"><var_review:index>0</var_review:index>
<var_review:participants/><var_review:kind><![CDATA[validation]]></var_review:kind></schema>`,
  ),
]

test('an export of the incumbent becomes a model with all fields of its nodes', () => {
  const { name, model } = readExport(
    new Map([
      ['.nuxeo-archive', ''],
      ROUTE,
      node(
        'ask',
        `<rnode:start>true</rnode:start><rnode:taskX>12.5</rnode:taskX><rnode:hasTask>true</rnode:hasTask>
<rnode:taskAssigneesExpr>workflowInitiator</rnode:taskAssigneesExpr><rnode:variablesFacet>facet-var_ask</rnode:variablesFacet>
<rnode:taskButtons><item><name>no</name><label>x</label><validate>false</validate></item></rnode:taskButtons>
<rnode:escalationRules><item><name>r</name><condition>true</condition><multipleExecution>true</multipleExecution>
<chain>c</chain></item></rnode:escalationRules>
<rnode:transitions><item><name>go</name><targetId>end</targetId>
<condition><![CDATA[NodeVariables["button"] == "no"]]></condition><path><item><x>1.5</x><y>2</y></item></path></item>
</rnode:transitions>`,
        '<schema xmlns:var_ask="http://x/a" name="var_ask"><var_ask:comment/></schema>',
      ),
      node('end', '<rnode:stop>true</rnode:stop>'),
    ]),
  )
  expect(name).toBe('review')
  const read = routesPoint.schema.parse(model)
  expect(routesPoint.check?.(read, { name, all: new Map() })).toEqual([])
  expect(read).toMatchObject({
    title: 'wf.review',
    variables: {
      index: { type: 'integer', default: 0 },
      participants: { type: 'json' },
      kind: { default: 'validation' },
    },
    nodes: {
      ask: {
        start: true,
        taskX: 12.5,
        globalVariables: ['index', 'participants', 'kind'],
        variables: { comment: { type: 'json' } },
        taskButtons: [{ name: 'no', validate: false }],
        escalationRules: [{ name: 'r', multipleExecution: true, chain: 'c' }],
        transitions: [{ targetId: 'end', path: [{ x: 1.5, y: 2 }] }],
      },
      end: { stop: true },
    },
  })
})

test('a task may set what the schema of its node lists, where the export has such schemas', () => {
  const asking = (id: string, more: string) => node(id, '<rnode:hasTask>true</rnode:hasTask>', more)
  const { model } = readExport(
    new Map([
      ROUTE,
      asking('ask', '<schema xmlns:g="http://x/g" name="var_global_ask"><g:kind/><g:unknown/></schema>'),
      asking('tell', ''),
    ]),
  )
  const { nodes } = routesPoint.schema.parse(model)
  expect([nodes.ask?.globalVariables, nodes.tell?.globalVariables]).toEqual([['kind'], []])
})

test.each([
  [[], '0 documents of type DocumentRoute'],
  [[['a/document.xml', '<document>']], 'a/document.xml: line 1'],
] as [[string, string][], string][])('of %j it says %s', (entries, message) => {
  expect(() => readExport(new Map(entries))).toThrow(message)
})
