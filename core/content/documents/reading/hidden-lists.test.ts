import { expect, test } from 'vitest'
import { principalOf } from '../../../access/security/index.js'
import type { ContentModel } from '../../../model/content-model/index.js'
import { parseNxql } from '../../../model/nxql/index.js'
import { requireHiddenStay } from './hidden-lists.js'

/** Knows properties by their names up to the first step. */
const model = {
  resolve: (xpath: string) => {
    const [key, ...steps] = xpath.split('/')
    return { key, steps: steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step)) }
  },
} as unknown as ContentModel

const check = (nxql: string, isAdministrator = false) =>
  requireHiddenStay({ model, principal: principalOf('ann', ['members'], isAdministrator) }, parseNxql(nxql))

test.each([
  "SELECT * FROM Document WHERE collectionMember:collectionIds/* = 'a'",
  "SELECT * FROM Document WHERE NOT collectionMember:collectionIds/* IN ('a', 'b') AND dc:title LIKE 'a%'",
  "SELECT dc:title FROM Document WHERE NOT collection:documentIds = 'a' ORDER BY dc:title",
])('a list that hides ids is compared: %s', (nxql) => {
  expect(() => check(nxql)).not.toThrow()
})

test.each([
  'SELECT DISTINCT collectionMember:collectionIds/* FROM File',
  'SELECT COUNT(collection:documentIds/*) FROM Collection',
  "SELECT * FROM File WHERE collectionMember:collectionIds/* LIKE '47%'",
  "SELECT * FROM File WHERE NOT (dc:title = 'a' OR collectionMember:collectionIds/0 > '4')",
  "SELECT * FROM File WHERE collectionMember:collectionIds/0 BETWEEN '1' AND '4'",
  'SELECT * FROM File WHERE collectionMember:collectionIds/0 = dc:title',
  'SELECT * FROM File ORDER BY collectionMember:collectionIds/0',
  'SELECT * FROM Collection WHERE collection:documentIds/1 IS NOT NULL',
  "SELECT * FROM Collection WHERE collection:documentIds/1 = 'a'",
  'SELECT * FROM Collection WHERE collection:documentIds/* IS NOT NULL',
  'SELECT * FROM Collection WHERE collection:documentIds IS NULL',
  "SELECT * FROM Collection WHERE collection:documentIds/* <> 'a'",
  "SELECT * FROM Collection WHERE collection:documentIds/* NOT IN ('a')",
])('and its values stay hidden: %s', (nxql) => {
  expect(() => check(nxql)).toThrow(/may have ids that are hidden from 'ann'/)
  expect(() => check(nxql, true)).not.toThrow()
})
