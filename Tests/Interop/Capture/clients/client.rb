# Sends the forms with Net::HTTP. Usage: ruby client.rb ADDRESS FORMS
require "net/http"
require "stringio"

address, path = ARGV
puts "version\t#{RUBY_VERSION}"
forms = Hash.new { |all, id| all[id] = [] }
File.foreach(path, chomp: true) do |line|
  id, kind, *words = line.split("\t", -1)
  name, filename, type, content = words.map { |word| word.unpack1("m") }
  # A stream keeps binary content apart from the headers' text.
  forms[id] << if kind == "file"
    [name, StringIO.new(content), { filename: filename, content_type: type }]
  else
    [name, content]
  end
end
forms.each do |id, fields|
  uri = URI("#{address}/#{id}")
  request = Net::HTTP::Post.new(uri)
  request.set_form(fields, "multipart/form-data")
  Net::HTTP.start(uri.host, uri.port, read_timeout: 30) { |http| http.request(request) }
end
