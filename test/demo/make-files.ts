/**
 * Makes the files of the demonstration with the programs that make such files every day:
 * `npx tsx test/demo/make-files.ts FOLDER` writes a Word, a Writer and an Excel document by LibreOffice, two
 * photos with EXIF and a video by ffmpeg.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

const run = promisify(execFile)

const CONTRACT = `Contract

Between Bright Windows Ltd and the town of Bergheim.
The contractor replaces forty windows of the town hall before the first of October.
Payment is due within thirty days.
`

const MINUTES = `Minutes of the meeting of 12 May

Present: Ann, Bertil, Chiara.
The frames arrive in week 31. Chiara asks the neighbours about the scaffolding.
`

const PRICES = `Item,Count,Price,Sum
Window 120 x 80,30,410.00,=B2*C2
Window 60 x 80,10,265.50,=B3*C3
Total,,,=D2+D3
`

const OFFICE = [
  { name: 'contract', from: 'txt', to: 'docx', text: CONTRACT },
  { name: 'minutes', from: 'txt', to: 'odt', text: MINUTES },
  { name: 'prices', from: 'csv', to: 'xlsx', text: PRICES },
] as const

const PHOTOS = [
  { name: 'before', red: 168, taken: '2026:05:11 09:30:00', north: '46/1 29/1 51/1', east: '11/1 20/1 6/1' },
  { name: 'after', red: 92, taken: '2026:09:28 16:05:00', north: '46/1 29/1 51/1', east: '11/1 20/1 6/1' },
] as const

/** A profile of its own, because LibreOffice refuses to share one with an instance that is open. */
const writeOffice = async (folder: string): Promise<void> => {
  const work = await mkdtemp(join(tmpdir(), 'archivolt-demo-'))
  try {
    for (const { name, from, to, text } of OFFICE) {
      const source = join(work, `${name}.${from}`)
      await writeFile(source, text)
      const profile = `-env:UserInstallation=file://${work}/profile`
      await run('soffice', [profile, '--headless', '--convert-to', to, '--outdir', folder, source])
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const writePhotos = async (folder: string): Promise<void> => {
  for (const { name, red, taken, north, east } of PHOTOS) {
    const noise = { type: 'gaussian', mean: red, sigma: 25 } as const
    await sharp({ create: { width: 1600, height: 1200, channels: 3, background: 'black', noise } })
      .jpeg({ quality: 85 })
      .withExif({
        IFD0: { Make: 'Archivolt', Model: 'Demonstration', Artist: 'Chiara' },
        IFD2: { DateTimeOriginal: taken },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: north, GPSLongitudeRef: 'E', GPSLongitude: east },
      })
      .toFile(join(folder, `${name}.jpg`))
  }
}

const writeVideo = async (folder: string): Promise<void> => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=duration=5:size=640x360:rate=25']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=5']
  const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest']
  await run('ffmpeg', ['-y', ...picture, ...sound, ...codecs, join(folder, 'walk.mp4')])
}

const main = async (argument: string | undefined): Promise<void> => {
  if (!argument) throw new Error('The folder for the files is missing')
  const folder = resolve(argument)
  await mkdir(folder, { recursive: true })
  await Promise.all([writeOffice(folder), writePhotos(folder), writeVideo(folder)])
}

await main(process.argv[2])
