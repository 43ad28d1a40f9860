import { expect, test } from 'vitest'
import type { BlobValue } from '../../model/properties/index.js'
import { namedAsSource, withNames } from './names.js'

const blob = (name: string): BlobValue => ({
  ...{
    name,
    'mime-type': 'image/jpeg',
    encoding: null,
    digestAlgorithm: 'MD5',
    digest: 'd'.repeat(32),
    length: 1,
  },
})

const result = {
  properties: {
    'picture:views': [{ title: 'Small', filename: 'Small_{base}.jpg', content: blob('Small_{base}.jpg') }],
    'vid:storyboard': [{ timecode: 1, comment: '{name} 1', content: blob('1.00-seconds.jpeg') }],
    'imd:image_description': 'a {name} of its own',
  },
  transcoded: { name: 'MP4 {base}', content: blob('{base}.mp4') },
}

test('what is made of a file is named as the file of each document', () => {
  const { properties, transcoded } = withNames(result, { name: '$&.cat.jpg' })
  expect(properties?.['picture:views']).toMatchObject([
    { title: 'Small', filename: 'Small_$&.cat.jpg', content: { name: 'Small_$&.cat.jpg' } },
  ])
  expect(properties?.['vid:storyboard']).toMatchObject([
    { comment: '$&.cat.jpg 1', content: { name: '1.00-seconds.jpeg' } },
  ])
  expect(transcoded).toMatchObject({ name: 'MP4 {base}', content: { name: '$&.cat.mp4' } })
})

test('what a file says itself stays', () => {
  expect(withNames(result, { name: 'cat.jpg' }).properties?.['imd:image_description']).toBe(
    'a {name} of its own',
  )
})

test('a name that looks like a place for one is taken as it is', () => {
  expect(withNames(result, { name: '{base}.jpg' }).transcoded).toMatchObject({
    content: { name: '{base}.mp4' },
  })
})

test('a file without a name, and one that is all extension', () => {
  expect(withNames(result, { name: null }).transcoded).toMatchObject({ content: { name: 'file.mp4' } })
  expect(withNames(result, { name: '.jpg' }).transcoded).toMatchObject({ content: { name: '.jpg.mp4' } })
})

test('keeps the extension of what was made', () => {
  expect(namedAsSource(blob('report.png')).name).toBe('{base}.png')
})
