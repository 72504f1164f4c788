// Go's mime/multipart, timed over the messages of a file, or writing forms.
//
//	peer parse FILE BOUNDARY MESSAGE_BYTES RUNS
//	peer encode-fields | encode-data | encode-into RUNS
//
// Prints one JSON object: the parts of a run, and the time of each run in nanoseconds. The first run is not timed.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"runtime/debug"
	"strconv"
	"time"
)

const chunkSize = 64 * 1024

// chunkReader yields a message in chunks.
type chunkReader struct{ rest []byte }

func (reader *chunkReader) Read(buffer []byte) (int, error) {
	if len(reader.rest) == 0 {
		return 0, io.EOF
	}
	count := len(reader.rest)
	if count > chunkSize {
		count = chunkSize
	}
	count = copy(buffer, reader.rest[:count])
	reader.rest = reader.rest[count:]
	return count, nil
}

// textBytes sums up the names' lengths, so that the optimiser keeps reading them.
var textBytes int

func parse(message []byte, boundary string, buffer []byte) int {
	parts := 0
	reader := multipart.NewReader(&chunkReader{message}, boundary)
	for {
		part, err := reader.NextPart()
		if err == io.EOF {
			return parts
		}
		check(err)
		textBytes += len(part.FormName()) + len(part.FileName()) + len(part.Header.Get("Content-Type"))
		for {
			_, err := part.Read(buffer)
			if err == io.EOF {
				break
			}
			check(err)
		}
		parts++
	}
}

func parseFile(path, boundary string, messageLength int) func() int {
	data, err := os.ReadFile(path)
	check(err)
	buffer := make([]byte, chunkSize)
	return func() int {
		parts := 0
		for start := 0; start < len(data); start += messageLength {
			parts += parse(data[start:start+messageLength], boundary, buffer)
		}
		return parts
	}
}

// encodeFields writes a form of small fields into new memory.
func encodeFields() func() int {
	const count = 100000
	names, values := make([]string, count), make([]string, count)
	for index := range names {
		names[index], values[index] = "field"+strconv.Itoa(100000+index), "value "+strconv.Itoa(index)
	}
	return func() int {
		var output bytes.Buffer
		writer := multipart.NewWriter(&output)
		for index, name := range names {
			field, err := writer.CreateFormField(name)
			check(err)
			_, err = io.WriteString(field, values[index])
			check(err)
		}
		check(writer.Close())
		return count
	}
}

// encodeData writes 64 MiB into a buffer that is new each time, or used again.
func encodeData(isReused bool) func() int {
	content := make([]byte, 64<<20)
	for index := range content {
		content[index] = byte(index * 31 >> 3)
	}
	reused := &bytes.Buffer{}
	return func() int {
		output := reused
		if !isReused {
			output = &bytes.Buffer{}
		}
		output.Reset()
		output.Grow(len(content) + 512)
		writer := multipart.NewWriter(output)
		file, err := writer.CreateFormFile("file", "content.bin")
		check(err)
		_, err = file.Write(content)
		check(err)
		check(writer.Close())
		return 1
	}
}

func main() {
	arguments := os.Args[1:]
	var run func() int
	switch arguments[0] {
	case "parse":
		messageLength, err := strconv.Atoi(arguments[3])
		check(err)
		run = parseFile(arguments[1], arguments[2], messageLength)
	case "encode-fields":
		run = encodeFields()
	case "encode-data":
		encode := encodeData(false)
		run = func() int {
			// Otherwise the new buffer has the last one's pages. A program without a garbage collector frees large
			// memory at once, and is timed with that, too.
			defer debug.FreeOSMemory()
			return encode()
		}
	default:
		run = encodeData(true)
	}
	runs, err := strconv.Atoi(arguments[len(arguments)-1])
	check(err)
	parts := run()
	times := []int64{}
	for range make([]struct{}, runs) {
		start := time.Now()
		parts = run()
		times = append(times, time.Since(start).Nanoseconds())
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]interface{}{"parts": parts, "ns": times}))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
