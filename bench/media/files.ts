import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { uploadTo } from '../files/upload.js'
import { createDocument } from '../harness/client.js'

export const run = promisify(execFile)

/** Each once, several at a time, in their order. */
export const eachOf = async <Item>(
  items: readonly Item[],
  callers: number,
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> => {
  let next = 0
  const caller = async () => {
    for (let index = next++; index < items.length; index = next++) await work(items[index]!, index)
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

/** A film with sound: H.264 of 1280 x 720, a key frame every 2 s. */
export const makeFilm = async (path: string, seconds: number): Promise<void> => {
  await run('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${seconds}`],
    ...[
      '-f',
      'lavfi',
      '-i',
      `sine=frequency=440:duration=${seconds}`,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
    ],
    ...['-g', '50', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path],
  ])
}

/** Text documents of Word, some pages each, written by one LibreOffice. */
export const makeOfficeFiles = async (
  folder: string,
  { soffice, count }: { soffice: string; count: number },
): Promise<string[]> => {
  const texts = join(folder, 'texts')
  await mkdir(texts)
  const names = Array.from({ length: count }, (_, index) => join(texts, `report-${index}.txt`))
  for (const [index, name] of names.entries())
    await writeFile(
      name,
      Array.from({ length: 120 }, (_, line) => `Line ${line} of report ${index}.`).join('\n'),
    )
  const files = join(folder, 'office')
  await run(soffice, [
    ...[
      '--headless',
      `-env:UserInstallation=file://${folder}/maker`,
      '--convert-to',
      'docx:MS Word 2007 XML',
    ],
    ...['--outdir', files, ...names],
  ])
  return (await readdir(files)).map((name) => join(files, name))
}

/** Photos of 12 megapixels as JPEG; what follows the end of the picture makes each a file of its own. */
export const makePhotos = async (folder: string, count: number): Promise<string[]> => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const small = await sharp({ create: { width: 1000, height: 750, channels: 3, background: '#468', noise } })
    .png()
    .toBuffer()
  const photo = await sharp(small).resize(4000, 3000).jpeg({ quality: 90 }).toBuffer()
  await mkdir(folder, { recursive: true })
  const paths = Array.from({ length: count }, (_, index) => join(folder, `photo-${index}.jpg`))
  for (const [index, path] of paths.entries())
    await writeFile(path, Buffer.concat([photo, Buffer.from(`${index}`)]))
  return paths
}

/** Documents with the files as main files. @returns their ids. */
export const storeFiles = async (
  apiUrl: string,
  {
    paths,
    mimeType,
    round,
    type = 'File',
  }: { paths: readonly string[]; mimeType: string; round: string; type?: string },
): Promise<string[]> => {
  const ids: string[] = []
  await eachOf(paths, 4, async (path, index) => {
    const name = `${round}-${index}-${path.split('/').at(-1)}`
    const id = await createDocument(apiUrl, { parent: '/', type, name })
    await uploadTo(apiUrl, { id, name, type: mimeType, content: await readFile(path) })
    ids[index] = id
  })
  return ids
}
