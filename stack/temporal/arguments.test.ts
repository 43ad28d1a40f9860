import { expect, test } from 'vitest'
import { serverArguments } from './arguments.js'

const values = (args: readonly string[], flag: string): string[] =>
  args.filter((_, index) => args[index - 1] === flag)

const args = serverArguments({ port: 7000, uiPort: 7001 })

test('one partition for a task queue, priorities, fast polls and eager starts', () => {
  expect(values(args, '--dynamic-config-value').sort()).toEqual([
    'history.timerProcessorMaxPollRPS=2000',
    'history.transferProcessorMaxPollRPS=2000',
    'history.visibilityProcessorMaxPollRPS=200',
    'matching.numTaskqueueReadPartitions=1',
    'matching.numTaskqueueWritePartitions=1',
    'matching.useNewMatcher=true',
    'system.enableActivityEagerExecution=true',
    'system.enableEagerWorkflowStart=true',
  ])
})

test('listens on loopback only and registers what runs are searched by', () => {
  expect(values(args, '--ip')).toEqual(['127.0.0.1'])
  expect(values(args, '--search-attribute')).toEqual([
    'ChainId=Keyword',
    'Principal=Keyword',
    'DocumentId=Keyword',
    'EventName=Keyword',
    'RequestId=Keyword',
    'FailedItems=Int',
    'RouteModel=Keyword',
    'Node=KeywordList',
    'Assignee=KeywordList',
    'Escalation=KeywordList',
    'DueDate=Datetime',
  ])
})

test('keeps its state in a file only when it is given one', () => {
  expect(args).not.toContain('--db-filename')
  const durable = serverArguments({ port: 7000, uiPort: 7001 }, '/home/t.db')
  expect(values(durable, '--db-filename')).toEqual(['/home/t.db'])
  expect(values(durable, '--sqlite-pragma')).toEqual(['journal_mode=wal', 'synchronous=normal'])
})
