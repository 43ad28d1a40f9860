import type { ElementForms, XmlPart } from '../../platform/contributions/index.js'
import type { EngineName } from './engines/engine.js'

/** Engines by the classes of the incumbent that do the same. */
const BY_CLASS: { readonly [className: string]: EngineName } = {
  ...{ JODBasedConverter: 'office', LibreOfficeConverter: 'office' },
  ...{ PDF2TextConverter: 'pdfToText', PDFBoxTextConverter: 'pdfToText' },
  ...{ PlainTextToTextConverter: 'text', Text2HtmlConverter: 'text', MD2HtmlConverter: 'text' },
  ...{ ImageResizeConverter: 'image', ImageConvertConverter: 'image', ImageCropConverter: 'image' },
  ...{ CommandLineConverter: 'command', CommandLineBasedConverter: 'command' },
  ...{ VideoConversionConverter: 'video', ScreenshotConverter: 'video', StoryboardConverter: 'video' },
}

/** Engines by the commands that a converter of a command line names. */
const BY_COMMAND: { readonly [command: string]: EngineName } = {
  ...{ soffice: 'office', pdftotext: 'pdfToText', pdftohtml: 'pdfToHtml', ffmpeg: 'video' },
}

const commandOf = ({ children }: XmlPart): string | undefined =>
  children
    .filter(({ name }) => name === 'parameters')
    .flatMap((parameters) => parameters.children)
    .find(({ attributes }) => attributes.name === 'CommandLineName')?.text

/** Converters as the incumbent writes them (blobs-conversions.md §3, converter registry). */
export const converterElements: ElementForms = {
  converter: {
    ignored: ['type'],
    rewrite: (part) => {
      const { class: implementation, ...attributes } = part.attributes
      const isChain = part.children.some(({ name }) => name === 'conversionSteps')
      if (implementation === undefined || isChain) return { ...part, attributes }
      const className = implementation.slice(implementation.lastIndexOf('.') + 1)
      // A class that is unknown is refused as an engine, which lists those that there are.
      const engine = BY_COMMAND[commandOf(part) ?? ''] ?? BY_CLASS[className] ?? implementation
      return { ...part, attributes: { ...attributes, engine } }
    },
  },
}
