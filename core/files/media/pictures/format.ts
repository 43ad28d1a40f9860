import { open } from 'node:fs/promises'

/** A format of pictures: ImageMagick's name of it, by which a file is opened whatever its own name says. */
export type PictureFormat = { coder: string; mimeType: string }

const FORMATS: readonly (PictureFormat & { head: RegExp; extensions: readonly string[] })[] = [
  { coder: 'JPEG', mimeType: 'image/jpeg', head: /^\xff\xd8\xff/, extensions: ['jpg', 'jpeg'] },
  { coder: 'PNG', mimeType: 'image/png', head: /^\x89PNG\r\n/, extensions: ['png'] },
  { coder: 'GIF', mimeType: 'image/gif', head: /^GIF8/, extensions: ['gif'] },
  { coder: 'TIFF', mimeType: 'image/tiff', head: /^(?:II\*\0|MM\0\*)/, extensions: ['tif', 'tiff'] },
  { coder: 'WEBP', mimeType: 'image/webp', head: /^RIFF[\s\S]{4}WEBP/, extensions: ['webp'] },
  { coder: 'BMP', mimeType: 'image/bmp', head: /^BM/, extensions: ['bmp'] },
  { coder: 'AVIF', mimeType: 'image/avif', head: /^[\s\S]{4}ftypavi[fs]/, extensions: [] },
  { coder: 'PSD', mimeType: 'image/vnd.adobe.photoshop', head: /^8BPS/, extensions: [] },
  { coder: 'JP2', mimeType: 'image/jp2', head: /^\0\0\0[\s\S]jP {2}/, extensions: [] },
  { coder: 'ICO', mimeType: 'image/vnd.microsoft.icon', head: /^\0\0[^\0]\0/, extensions: [] },
  { coder: 'XCF', mimeType: 'image/x-xcf', head: /^gimp xcf/, extensions: [] },
  { coder: 'HEIC', mimeType: 'image/heic', head: /^[\s\S]{4}ftyp(?:hei[cxms]|mif1|msf1)/, extensions: [] },
]

/** What a file is by its first bytes; undefined for what is no picture of pixels. */
export const pictureFormatOf = async (path: string): Promise<PictureFormat | undefined> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(16), length: 16, position: 0 })
    const head = buffer.toString('latin1', 0, bytesRead)
    return FORMATS.find((format) => format.head.test(head))
  } finally {
    await file.close()
  }
}

/** The format that pictures with an extension are written in. */
export const writableFormat = (extension: string): PictureFormat | undefined =>
  FORMATS.find(({ extensions }) => extensions.includes(extension.toLowerCase()))
