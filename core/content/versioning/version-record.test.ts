import { expect, test } from 'vitest'
import type { DocumentRecord } from '../../model/properties/index.js'
import { versionRecord } from './version-record.js'

const NOW = new Date('2020-01-02T03:04:05.000Z')

const live: DocumentRecord = {
  id: 'live',
  parentId: 'folder',
  name: 'file',
  path: '/folder/file',
  position: 3,
  type: 'File',
  facets: ['Downloadable', 'CollectionMember'],
  lifecycleState: 'approved',
  isVersion: false,
  isProxy: false,
  isCheckedIn: false,
  isTrashed: true,
  majorVersion: 1,
  minorVersion: 2,
  versionSeriesId: null,
  versionLabel: null,
  versionDescription: null,
  versionCreatedAt: null,
  isLatestVersion: false,
  isLatestMajorVersion: false,
  baseVersionId: 'before',
  proxyTargetId: null,
  proxyVersionSeriesId: null,
  lockOwner: 'ann',
  lockedAt: new Date('2019-01-01T00:00:00.000Z'),
  systemToken: 7,
  userToken: 8,
  aclId: 9,
  properties: { 'dc:title': 'File', 'uid:minor_version': 2, 'collectionMember:collectionIds': ['c'] },
}

const versionOf = (majorVersion: number, minorVersion: number, comment?: string) =>
  versionRecord(live, {
    number: { majorVersion, minorVersion },
    numbered: { 'uid:minor_version': minorVersion },
    comment,
    now: NOW,
  })

test('a version of a locked document in a folder has neither lock nor place, and its content', () => {
  const { id, ...version } = versionOf(1, 3)
  expect(id).not.toBe(live.id)
  expect(version).toEqual({
    name: 'file',
    type: 'File',
    parentId: null,
    path: null,
    position: null,
    facets: ['Downloadable'],
    lifecycleState: 'approved',
    isVersion: true,
    isProxy: false,
    isCheckedIn: true,
    isTrashed: false,
    majorVersion: 1,
    minorVersion: 3,
    versionSeriesId: 'live',
    versionLabel: '1.3',
    versionDescription: null,
    versionCreatedAt: NOW,
    isLatestVersion: true,
    isLatestMajorVersion: false,
    baseVersionId: null,
    proxyTargetId: null,
    proxyVersionSeriesId: null,
    lockOwner: null,
    lockedAt: null,
    systemToken: 0,
    userToken: 0,
    aclId: 9,
    properties: { 'dc:title': 'File', 'uid:minor_version': 3 },
  })
})

test('a version without a minor number is the latest major one; it keeps its comment', () => {
  expect(versionOf(2, 0, 'Approved')).toMatchObject({
    isLatestMajorVersion: true,
    versionLabel: '2.0',
    versionDescription: 'Approved',
  })
})
