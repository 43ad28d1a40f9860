import { describe, expect, test } from 'vitest'
import { eventHandlersPoint } from './index.js'

const { read, write } = eventHandlersPoint.xml!
const FULL = `<handler chainId="stamp" postCommit="true">
  <event>documentCreated</event><event>documentModified</event>
  <filters>
    <doctype>File</doctype><doctype>Note</doctype><facet>Versionable</facet><lifeCycle>project,approved</lifeCycle>
    <pathStartsWith>/a</pathStartsWith><attribute>Regular Document</attribute><group>members</group>
    <isAdministrator>false</isAdministrator><condition>Document["dc:title"] == "x"</condition>
  </filters>
</handler>`

const CONTENT = {
  events: ['documentCreated', 'documentModified'],
  chain: 'stamp',
  postCommit: true,
  doctype: ['File', 'Note'],
  facet: 'Versionable',
  lifeCycle: ['project', 'approved'],
  pathStartsWith: '/a',
  attribute: 'Regular Document',
  group: ['members'],
  // Whatever it says, as the incumbent has it.
  isAdministrator: true,
  condition: 'Document["dc:title"] == "x"',
}

describe('a handler in XML', () => {
  test.each([
    ['alone', FULL, CONTENT],
    [
      'as it is contributed',
      `<component name="x"><require>y</require><extension target="t" point="p">${FULL}</extension></component>`,
      CONTENT,
    ],
    [
      'without filters',
      '<handler chainId="c"><event>e</event></handler>',
      { events: ['e'], chain: 'c', postCommit: false },
    ],
  ])('%s', (_, text, content) => {
    expect(read('any', text)).toEqual({ content, problems: [] })
  })

  test('is written as it is read', () => {
    const content = eventHandlersPoint.schema.parse(CONTENT)
    expect(read('any', write('any', content)).content).toEqual(CONTENT)
  })

  test.each([
    ['<handlers/>', 1, /expected the element <handler>, found <handlers>/],
    ['<handler chainId="c">\n<events/></handler>', 2, /unexpected element <events>.*did you mean/],
    ['<handler><event>e</event></handler>', 1, /needs the attribute chainId/],
    ['<handler chainId="c" postcommit="true"/>', 1, /unknown attribute "postcommit"/],
    ['<handler chainId="c" postCommit="yes"/>', 1, /expected true or false/],
    ['<!DOCTYPE x><handler chainId="c"/>', 1, /DOCTYPE/],
    ['<extension><handler chainId="a"/>\n<handler chainId="b"/></extension>', 2, /one <handler>/],
    ['<handler', 1, /./],
  ])('is refused: %s', (text, line, message) => {
    const [problem] = read('any', text).problems
    expect(problem).toMatchObject({ line, message: expect.stringMatching(message) })
  })
})
