import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Started = { workflowId: string; workflowType: { name: string }; firstExecutionRunId: string }

/** A history as Temporal's command line writes it. */
export type RecordedHistory = {
  events: {
    eventId: string
    workflowExecutionStartedEventAttributes?: Started
    workflowExecutionContinuedAsNewEventAttributes?: { newExecutionRunId: string }
  }[]
}

export const readRecording = (file: URL | string): RecordedHistory =>
  JSON.parse(readFileSync(file, 'utf8')) as RecordedHistory

type ProtoJson = { fromJson(type: unknown, json: unknown, options: object): object }
type ProtoRoot = { patchProtobufRoot(root: unknown): { lookupType(name: string): unknown } }

/**
 * A history as the SDK takes it. It reads the JSON form itself, but with a `protobufjs` that may be another
 * copy than the one its messages were made with, which then takes no message for one; so it is read here, with
 * the copy of the messages.
 */
export const historyOf = (recording: RecordedHistory): object => {
  const beside = createRequire(import.meta.resolve('@temporalio/common'))
  const withMessages = createRequire(beside.resolve('@temporalio/proto'))
  const { fromJson } = withMessages('protobufjs/ext/protojson') as ProtoJson
  const { patchProtobufRoot } = withMessages('@temporalio/proto/lib/patch-protobuf-root') as ProtoRoot
  const type = patchProtobufRoot(withMessages('@temporalio/proto')).lookupType(
    'temporal.api.history.v1.History',
  )
  return fromJson(type, recording, { ignoreUnknownFields: true })
}
