const LONG = 4
const SHORT = 3
const BYTE = 1

type Entry = readonly [tag: number, type: number, count: number, value: Buffer]

const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const folderOf = (entries: readonly Entry[], next: number): Buffer => {
  const count = Buffer.alloc(2)
  count.writeUInt16LE(entries.length)
  const rows = entries.map(([tag, type, length, value]) => {
    const row = Buffer.alloc(12)
    row.writeUInt16LE(tag, 0)
    row.writeUInt16LE(type, 2)
    row.writeUInt32LE(length, 4)
    value.copy(row, 8)
    return row
  })
  return Buffer.concat([count, ...rows, long(next)])
}

const lengthOf = (entries: number): number => 2 + 12 * entries + 4

/** A digital negative without pixels of its own: a camera that was held upright has put a JPEG preview into it. */
export const rawPhoto = (preview: Buffer): Buffer => {
  const second = 8 + lengthOf(4)
  const picture = second + lengthOf(2)
  const first: Entry[] = [
    [0x100, LONG, 1, long(8000)],
    [0x101, LONG, 1, long(6000)],
    [0x112, SHORT, 1, long(6)],
    [0xc612, BYTE, 4, Buffer.from([1, 4, 0, 0])],
  ]
  const previews: Entry[] = [
    [0x201, LONG, 1, long(picture)],
    [0x202, LONG, 1, long(preview.length)],
  ]
  const head = Buffer.concat([Buffer.from('II*\0'), long(8)])
  return Buffer.concat([head, folderOf(first, second), folderOf(previews, 0), preview])
}
