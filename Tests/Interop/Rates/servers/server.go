// Reads forms with net/http, prints its port, and ends with its input.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
)

func read(writer http.ResponseWriter, request *http.Request) {
	// net/http's own limit for files in memory.
	if err := request.ParseMultipartForm(32 << 20); err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	var parts, names, content int64
	for name, values := range request.MultipartForm.Value {
		for _, value := range values {
			parts++
			names += int64(len(name))
			content += int64(len(value))
		}
	}
	for name, files := range request.MultipartForm.File {
		for _, file := range files {
			parts++
			names += int64(len(name))
			content += file.Size
		}
	}
	fmt.Fprintf(writer, `{"parts":%d,"names":%d,"bytes":%d}`, parts, names, content)
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	http.HandleFunc("/", read)
	log.Fatal(http.Serve(listener, nil))
}
