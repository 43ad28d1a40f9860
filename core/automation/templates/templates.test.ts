// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the marks of the notation
import { afterAll, describe, expect, it } from 'vitest'
import { principalOf } from '../../access/security/index.js'
import {
  createExpressionEngine,
  type ExpressionScope,
  type HostDocument,
} from '../../platform/sandbox/expressions/index.js'
import { compileTemplate } from './compile.js'

const engine = await createExpressionEngine()
afterAll(() => engine.dispose())

const document = (title: string, properties: { [name: string]: unknown } = {}): HostDocument => ({
  id: `id-${title}`,
  name: title.toLowerCase(),
  path: `/${title}`,
  type: 'File',
  facets: [],
  schemas: ['dublincore'],
  state: 'project',
  versionLabel: null,
  isProxy: false,
  isVersion: false,
  lockOwner: null,
  lockCreated: null,
  isFolder: false,
  get: (property) => ({ 'dc:title': title, ...properties })[property] ?? null,
})

const SCOPE = {
  variables: {
    user: { name: 'Ann', langs: ['en', 'fr'], tags: {} },
    count: 1234.5,
    html: '<b>"A" & B</b>',
    none: null,
    no: [],
    yes: true,
    day: new Date('2024-03-05T14:07:09Z'),
    class: 'reserved',
  },
  document: document('One', { 'dc:created': '2024-01-31T10:00:00.000Z', 'dc:subjects': ['art', 'law'] }),
  documents: [document('One'), document('Two')],
  input: null,
  principal: principalOf('ann', [], false),
  now: new Date('2024-05-31T12:00:00Z'),
  env: {},
}

const TEMPLATES: { [name: string]: string } = { foot: '-- ${user.name}', circle: '<#include "circle">' }

const render = async (text: string, type = 'ftl'): Promise<unknown> => {
  const { source, texts } = compileTemplate(text, { type, find: (name) => TEMPLATES[name] })
  const scope: ExpressionScope = { ...SCOPE, variables: { ...SCOPE.variables, $texts: texts } }
  return engine.evaluateValue(`expr:${source}`, scope)
}

describe('a template of FreeMarker', () => {
  it.each<[string, string]>([
    ['<#if yes>a</#if> \n<#if yes>b</#if> c', 'a \nb c'],
    ['plain @{x} &amp; text', 'plain @{x} &amp; text'],
    ['', ''],
    ['${user.name}', 'Ann'],
    ["${user['name']} ${user.langs[1]}", 'Ann fr'],
    ['${Document.title} ${Document["dc:title"]} ${Document.type}', 'One One File'],
    ['${Document["dc:missing"]}|${none}|${user.nothing.at.all}', '||'],
    ['${Document["dc:subjects"]?join(", ")}', 'art, law'],
    ['${missing!"default"} ${missing!} ${(user.x.y)!"d"} ${user.name!"d"}', 'default  d Ann'],
    ['${missing?default("d")} ${(missing.x)?default(none, "e")}', 'd e'],
    ['${missing??} ${user??} ${none??} ${missing?exists}', 'false true false false'],
    [
      '${none?has_content} ${no?has_content} ${html?has_content} ${user.tags?has_content}',
      'false false true false',
    ],
    ['${html?html}', '&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;'],
    ['${htmlEscape(html)}', '&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;'],
    ['${html?js_string}', '\\u003cb\\u003e\\"A\\" & B\\u003c/b\\u003e'],
    ['${html?url}', '%3Cb%3E%22A%22%20%26%20B%3C%2Fb%3E'],
    ['${"a&lt;b@{c}"}', 'a&lt;b@{c}'],
    ['${"x"?upper_case}${"Ab Cd"?lower_case?cap_first}${"ab cd"?capitalize}', 'XAb cdAb Cd'],
    [
      '${count} ${count?string("0.00")} ${count?string("#,##0.##")} ${0.256?string("0%")}',
      '1234.5 1234.50 1,234.5 26%',
    ],
    ['${count?int + 1} ${7 / 2} ${7 % 2} ${-count?round} ${(1 + 2) * 3}', '1235 3.5 1 -1235 9'],
    ['${"12"?number + 1} ${1 + "x"} ${"a" + 1}', '13 1x a1'],
    ['${yes?string("ja", "nein")} ${(1 gt 2)?string("ja", "nein")} ${yes?then(1, 2)}', 'ja nein 1'],
    [
      '${day?string("dd.MM.yyyy HH:mm")} ${Document["dc:created"]?datetime?string("d MMM yyyy")}',
      '05.03.2024 14:07 31 Jan 2024',
    ],
    ['${CurrentDate.format("yyyy")} ${CurrentUser.name}', '2024 ann'],
    [
      '${user.langs?size} ${user?keys?join(",")} ${user.langs?first}${user.langs?last}',
      '2 name,langs,tags enfr',
    ],
    [
      '${["b", "a"]?sort?join("")} ${Documents?sort_by("title")?reverse[0].title} ${[1,2,3,4]?chunk(2)?size}',
      'ab Two 2',
    ],
    ['${user.langs?seq_contains("fr")} ${"abc"?contains("b")} ${"abc"[1]}${"abc"[1..]}', 'true true bbc'],
    ['${"a-b"?replace("-", "+")} ${"a.b"?split(".")?size} ${"x"?left_pad(3, "0")}', 'a+b 2 00x'],
    ['${"hi ${user.name}!"} ${r"${raw}"}', 'hi Ann! ${raw}'],
    ['${{"a": 1, "b": {"c": 2}}.b.c}', '2'],
    ['${(user + {"name": "Bob"}).name}', 'Bob'],
    ['${class} ${user.langs.size()}', 'reserved 2'],
    ['<#if yes>a</#if><#if !yes>b<#else>c</#if>', 'ac'],
    ['<#if count gt 2000>a<#elseif count gte 1000 && user.name == "Ann">b<#else>c</#if>', 'b'],
    ['<#if (count > 1000)>big</#if><#if missing??>x</#if><#if user.name = "Ann">!</#if>', 'big!'],
    ['<#if day < CurrentDate>before</#if>', 'before'],
    ['<#list user.langs as l>${l_index}${l}<#if l_has_next>,</#if></#list>', '0en,1fr'],
    ['<#list user.langs as l>${l?counter}${l?is_last?c};</#list>', '1false;2true;'],
    ['<#list Documents as doc>${doc.title}=${doc["dc:title"]} </#list>', 'One=One Two=Two '],
    ['<#list no as n>x<#else>nothing</#list><#list none![] as n>x</#list>', 'nothing'],
    ['<#list 1..3 as i><#if i == 2><#break></#if>${i}</#list>', '1'],
    ['<#list {"a": 1, "b": 2} as k, v>${k}${v}</#list>', 'a1b2'],
    ['<#list [[1, 2], [3]] as row><#list row as row>${row}</#list>;</#list>', '12;3;'],
    ['<#assign x = 1 y = "b"/>${x}${y}<#assign x = x + 1>${x}', '1b2'],
    ['${user.name}<#assign user = {"name": "Eve"}>${user.name}', 'AnnEve'],
    [
      '<#escape x as x?html>${html}<#noescape>${html}</#noescape></#escape>',
      '&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;<b>"A" & B</b>',
    ],
    ['<#noparse>${user} <#if></#noparse>', '${user} <#if>'],
    ['a<#-- ${nothing} <#if> -->b', 'ab'],
    ['<#include "foot">', '-- Ann'],
    ['a\n<#if yes>\n  b\n</#if>\nc\n', 'a\n  b\nc\n'],
    ['<ul>\n<#list 1..2 as i>\n  <li>${i}</li>\n</#list>\n</ul>', '<ul>\n  <li>1</li>\n  <li>2</li>\n</ul>'],
    ['<p>$5 and {x} and #{y} </#', '<p>$5 and {x} and #{y} </#'],
  ])('%j', async (text, expected) => {
    expect(await render(text)).toBe(expected)
  })

  it.each<[string, RegExp]>([
    ['${', /line 1, column 1: '}' is missing/],
    ['a\nb ${x.}', /line 2, column 3: a name is missing/],
    ['${1 +}', /something is missing/],
    ['${x y}', /'y' is not understood/],
    ['${x?nonsense}', /built-in \?nonsense is not known/],
    ['<#if x>', /line 1, column 1: <#if> has no end/],
    ['<#if x></#list>', /<\/#list> is not understood/],
    ['<#if x><#else><#else></#if>', /stands behind <#else>/],
    ['<#list x>y</#list>', /<#list values as name>/],
    ['<#macro m></#macro>', /<#macro> is not understood/],
    ['<@m/>', /calls a macro/],
    ['<#assign x>', /<#assign name = value>/],
    ['<#include "no">', /no template 'no' is deployed/],
    ['<#include "circle">', /include one another/],
    ['<#include user>', /<#include "name">/],
    ['<#-- x', /'-->' is missing/],
    ['${HTTP.get("a", "b", "http://x")}', /HTTP cannot be used/],
    [`\${${'('.repeat(5000)}1${')'.repeat(5000)}}`, /nested too deeply/],
    ...['?trim', '.b', '+1', '!'].map((more): [string, RegExp] => [
      `\${a${more.repeat(8000)}}`,
      /more than 500 operators/,
    ]),
    [`\${${'!'.repeat(8000)}a}`, /more than 500 operators/],
    [`${'<#if yes>'.repeat(3000)}${'</#if>'.repeat(3000)}`, /more than 100 blocks/],
  ])('%j is refused', (text, message) => {
    expect(() => compileTemplate(text, { find: (name) => TEMPLATES[name] })).toThrow(message)
  })

  it.each<[string, RegExp]>([
    ['a\n ${missing}', /'?missing'? is not defined/],
    ['${"x"?number}', /not a number/],
    ['<#if user.name>x</#if>', /neither true nor false/],
    ['<#list 1..10000000 as i></#list>', /range is too long/],
    ['<#list 1..100000 as i><#list 1..100000 as j>${html}</#list></#list>', /longer than|time limit/],
  ])('%j fails when it runs', async (text, message) => {
    await expect(render(text)).rejects.toThrow(message)
  })

  it('reaches nothing of the sandbox', async () => {
    for (const text of [
      '${globalThis}',
      '${"".constructor.constructor("return 1")()}',
      '${$put}',
      '${user.langs.constructor}',
    ])
      expect(await render(text).catch(() => 'refused'), text).not.toContain('1')
  })
})

it('built-ins behind one another are read once each', async () => {
  const many = '?trim'.repeat(400)
  expect(compileTemplate(`\${" a "${many}}`, { find: () => undefined }).source.length).toBeLessThan(50_000)
  expect(await render(`[\${" a "${'?trim'.repeat(30)}}]`)).toBe('[a]')
})

describe('a template of MVEL', () => {
  it.each<[string, string]>([
    ['Hello @{user.name}, ${user} &amp; joe@example.com', 'Hello Ann, ${user} &amp; joe@example.com'],
    ['@{Document["dc:title"]}@{none}', 'One'],
    ['@if{Document["dc:source"] == empty}none@else{}some@end{}', 'none'],
    ['@if{count > 2000}a@else{count > 1000}b@else{}c@end{}', 'b'],
    ['@foreach{doc : Documents}@{doc.title},@end{}', 'One,Two,'],
    ['@foreach{l : user.langs}@if{l == "fr"}[@{l}]@end{}@end{}', '[fr]'],
    ['@comment{nothing}a', 'a'],
  ])('%j', async (text, expected) => {
    expect(await render(text, 'mvel')).toBe(expected)
  })

  it.each<[string, RegExp]>([
    ['a @{x', /line 1, column 3: No closing brace/],
    ['@if{x}', /@if{} has no @end/],
    ['@foreach{x}@end{}', /@foreach{item : list}/],
    ['@{HTTP.get()}', /HTTP cannot be used/],
    [`${'@if{yes}'.repeat(2000)}${'@end{}'.repeat(2000)}`, /more than 100 blocks/],
    ['@declare{x}', /@declare{} is not understood/],
  ])('%j is refused', (text, message) => {
    expect(() => compileTemplate(text, { type: 'mvel', find: () => undefined })).toThrow(message)
  })
})

it('another notation is refused', () => {
  expect(() => compileTemplate('x', { type: 'jsp', find: () => undefined })).toThrow(/type: 'jsp'/)
})
