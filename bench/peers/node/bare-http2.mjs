// The least that node:http2 can do for an answer to a POST: the body is read to its end and thrown
// away, the answer is fixed. Prints its port and process id, then serves until it is killed.
//
//   node bare-http2.mjs TLS_FOLDER ANSWER_FILE
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { join } from 'node:path'
const [folder, answerFile] = process.argv.slice(2)
const answer = readFileSync(answerFile)
const headers = () => ({ ':status': 201, 'cache-control': 'no-cache, private', 'content-type': 'application/json', 'content-length': answer.length })
const server = createSecureServer({ cert: readFileSync(join(folder, 'server.pem')), key: readFileSync(join(folder, 'server.key')) })
server.on('stream', (stream) => {
  stream.on('error', () => {})
  stream.on('end', () => { stream.respond(headers()); stream.end(answer) })
  stream.resume()
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port, pid: process.pid })))
