import { describe, expect, it } from 'vitest'
import {
  alternativeName,
  canonicalPath,
  childPath,
  documentName,
  isTrashedName,
  trashedName,
  untrashedName,
} from './names.js'

const NOW = new Date(1_450_000_000_000)

describe('a name', () => {
  it.each([
    ['report', 'report'],
    [' report ', 'report'],
    ['a/b\\c', 'a-b-c'],
    ['tab\tand\u0000nul', 'tabandnul'],
    ['Größe 100 %', 'Größe 100 %'],
    ['it@home', 'it@home'],
  ])('%j is stored as %j', (given, stored) => {
    expect(documentName(given)).toBe(stored)
  })

  it.each(['.', '..', '@search'])('%j is refused', (given) => {
    expect(() => documentName(given)).toThrow(expect.objectContaining({ code: 'badRequest' }))
  })

  it('that is empty becomes a number', () => {
    expect(documentName(' ')).toMatch(/^\d+$/)
  })

  it('that is taken gives way to others, each attempt to another one', () => {
    expect(alternativeName('report', NOW, 0)).toBe('report.1450000000000')
    expect(alternativeName('report', NOW, 1)).toBe('report.1450000000001')
  })
})

describe('a path', () => {
  it.each([
    ['/', 'a', '/a'],
    ['/a', 'b', '/a/b'],
  ])('below %s with %s is %s', (parent, name, path) => {
    expect(childPath(parent, name)).toBe(path)
  })

  it('that no index could hold is refused', () => {
    expect(() => childPath('/', 'ß'.repeat(1_250))).toThrow(expect.objectContaining({ code: 'badRequest' }))
    expect(childPath('/', 'ß'.repeat(1_249))).toHaveLength(1_250)
  })

  it.each([
    ['', '/'],
    ['//a//b/', '/a/b'],
  ])('%j is %j', (given, path) => {
    expect(canonicalPath(given)).toBe(path)
  })
})

describe('a name in the trash', () => {
  it('names when it was trashed, and its name before', () => {
    const name = trashedName('report', NOW)
    expect(name).toBe('report._1450000000000_.trashed')
    expect(isTrashedName(name)).toBe(true)
    expect(untrashedName(name)).toBe('report')
  })

  it.each(['report', 'report.trashed', 'report._x_.trashed', 'report._1_.trashed.pdf'])(
    '%j is none',
    (name) => {
      expect(isTrashedName(name)).toBe(false)
      expect(untrashedName(name)).toBe(name)
    },
  )

  it('never leaves an empty one', () => {
    expect(untrashedName('._1450000000000_.trashed')).toBe('._1450000000000_.trashed')
  })
})
