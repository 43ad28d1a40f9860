import { runInNewContext } from 'node:vm'
import { beforeEach, expect, test } from 'vitest'
import { SEARCH_SCRIPT } from './search-script.js'

type Listener = (event: object) => void

const ENTRIES = [
  'document.setproperty update property changes a document xpath value save',
  'collection.removefromcollection remove from collection',
  'document.lock lock owner',
]

const entries = ENTRIES.map((text) => ({ hidden: false, dataset: { text } }))
const listeners: { [event: string]: Listener } = {}
let focused = 0
const search = {
  value: '',
  addEventListener: (event: string, listener: Listener) => {
    listeners[event] = listener
  },
  focus: () => {
    focused += 1
  },
  select: () => undefined,
}
const elements: { [id: string]: object } = {
  search,
  count: { dataset: { total: '3' }, textContent: '' },
  none: { hidden: true },
}

beforeEach(() => {
  runInNewContext(SEARCH_SCRIPT, {
    document: {
      getElementById: (id: string) => elements[id] ?? null,
      querySelectorAll: () => [{ hidden: false, querySelectorAll: () => entries }],
      addEventListener: search.addEventListener,
    },
  })
})

const found = (words: string): string[] => {
  search.value = words
  listeners.input?.({})
  return entries.filter(({ hidden }) => !hidden).map(({ dataset }) => dataset.text.split(' ')[0] ?? '')
}

test.each([
  ['Property document', ['document.setproperty']],
  ['lok', []],
  ['proprety', ['document.setproperty']],
  ['documnt.setproprety', ['document.setproperty']],
  ['docsetprop', ['document.setproperty']],
  ['colection remove', ['collection.removefromcollection']],
  ['document', ['document.setproperty', 'document.lock']],
  ['xyzzy', []],
])('finds %s by its words, else by words like them', (words, expected) => {
  expect(found(words)).toEqual(expected)
})

test('/ goes to the search, but not from a field in which one writes', () => {
  let prevented = 0
  const press = (tagName: string) =>
    listeners.keydown?.({ key: '/', target: { tagName }, preventDefault: () => (prevented += 1) })
  press('TEXTAREA')
  press('BODY')
  expect([focused, prevented]).toEqual([1, 1])
})
