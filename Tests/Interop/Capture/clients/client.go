// Sends the forms with net/http and mime/multipart. Usage: client ADDRESS FORMS
package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"runtime"
	"strings"
)

func decoded(word string) string {
	data, err := base64.StdEncoding.DecodeString(word)
	check(err)
	return string(data)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func add(writer *multipart.Writer, words []string) {
	var part io.Writer
	var err error
	if words[1] == "file" {
		part, err = writer.CreateFormFile(decoded(words[2]), decoded(words[3]))
	} else {
		part, err = writer.CreateFormField(decoded(words[2]))
	}
	check(err)
	_, err = io.WriteString(part, decoded(words[5]))
	check(err)
}

func main() {
	address := os.Args[1]
	forms, err := os.ReadFile(os.Args[2])
	check(err)
	fmt.Printf("version\t%s\n", strings.TrimPrefix(runtime.Version(), "go"))
	lines := strings.Split(strings.TrimSpace(string(forms)), "\n")
	for start := 0; start < len(lines); {
		var body bytes.Buffer
		writer := multipart.NewWriter(&body)
		id := strings.Split(lines[start], "\t")[0]
		for ; start < len(lines) && strings.HasPrefix(lines[start], id+"\t"); start++ {
			add(writer, strings.Split(lines[start], "\t"))
		}
		check(writer.Close())
		response, err := http.Post(address+"/"+id, writer.FormDataContentType(), &body)
		check(err)
		response.Body.Close()
	}
}
