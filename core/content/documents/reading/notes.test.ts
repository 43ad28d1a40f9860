import { expect, test } from 'vitest'
import { withNotesOf, withoutNotes } from './notes.js'

const live = {
  properties: { 'dc:title': 'Now', 'collectionMember:collectionIds': ['c'], 'nxtag:tags': [] },
  facets: ['CollectionMember', 'Picture'],
}
const version = {
  properties: { 'dc:title': 'Then', 'notif:notifications': [], 'collectionMember:collectionIds': ['gone'] },
  facets: ['Notifiable', 'Video'],
}

test('a version keeps no notes', () => {
  expect(withoutNotes(live)).toEqual({
    properties: { 'dc:title': 'Now', 'nxtag:tags': [] },
    facets: ['Picture'],
  })
})

test('a live document keeps its notes when a version is restored to it', () => {
  expect(withNotesOf(live, version)).toEqual({
    properties: { 'dc:title': 'Then', 'collectionMember:collectionIds': ['c'] },
    facets: ['Video', 'CollectionMember'],
  })
})
